"""Texts that a hostile site may put into titles, link texts, addresses and answers."""

from __future__ import annotations

from pathlib import Path

from tests.report.made_store import MadeStore

BASE = "https://gallery.example"
TEXTS = (
    "<script>window.pwned=1</script>",
    "</script><script>window.pwned=2</script>",
    "<img src=x onerror=window.pwned=3>",
    "<svg/onload=window.pwned=4>",
    "\"><iframe srcdoc='<script>parent.pwned=5</script>'></iframe>",
    "' onmouseover='window.pwned=6' x='",
    "--><!--<script>window.pwned=7</script>",
    "]]></style><style>*{display:none}</style>",
    "</title><meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<base href=https://evil.example/>",
    "{{7*7}}{% raw %}${7*7}",
    "\u202egnp.exe",
    "\x1b]0;owned\x07\x1b[2J\x1b[31mred",
    "</textarea></select></noscript><form action=https://evil.example/><button>Log in</button></form>",
    "\u2028window.pwned=8;\u2029//",
    "&lt;script&gt;window.pwned=9&lt;/script&gt;",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src onerror=window.pwned=10&gt;'>",
    "__proto__",
    "constructor",
    "\x00<script\x00>window.pwned=11</script>",
    "<a href=javascript:window.pwned=12>click</a>",
    "\ud800lone surrogate".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
)
URLS = (
    "javascript:window.pwned=20",
    "JaVaScRiPt:window.pwned=21",
    "\x01javascript:window.pwned=22",
    "data:text/html,<script>window.pwned=23</script>",
    "vbscript:window.pwned=24",
    'https://gallery.example/"><script>window.pwned=25</script>',
    "https://gallery.example/'; rm -rf ~; echo '",
    "https://user:secret-word@gallery.example/x",
    "file:///etc/passwd",
)


def write_hostile_store(output: Path) -> Path:
    """A crawl in which every field that a site can reach holds a hostile text."""
    made = MadeStore()
    entry = made.row(f"{BASE}/", TEXTS[0], 0, 0)
    for number, text in enumerate(TEXTS):
        album = made.row(f"{BASE}/g/{number}?{text}", text, 1, entry, final_url=f"https://x.example/{text}")
        address = f"{BASE}/f/{number}.jpg?{text}"
        first = made.stored(address, text, album, f"{text}/{number}.svg", format=text[:12])
        made.failure(f"{BASE}/l/{number}", text, album, "http", text, status=404)
        made.skipped(f"{BASE}/s/{number}?{text}", text, album)
        made.repeated(first, address, entry)
    for url in URLS:
        row = made.failure(url, url, entry, "bad-url", f"no URL: {url}")
        made.repeated(row, url, entry)
    return made.write(output)
