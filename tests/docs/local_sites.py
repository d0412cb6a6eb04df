"""The sites that the docs speak of, on this machine: the demo gallery, and the sites of the worked configs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from picspider.demo import serve_gallery
from tests.conftest import ROOT, Serve
from tests.sites.site import Site
from tests.sites.worked import site_of

GALLERY = re.compile(r"https://gallery\.example|http://127\.0\.0\.1:8765")
_HOST = re.compile(r"https?://(\w+)\.example")


def worked_hosts() -> dict[str, str]:
    """`{"forum": "next-by-text", …}`: the first config that is about https://forum.example."""
    worked: dict[str, str] = {}
    for file in sorted((ROOT / "configs").glob("*.yaml")):
        if found := _HOST.search(file.read_text(encoding="utf-8")):
            worked.setdefault(found[1], file.stem)
    return worked


@dataclass(frozen=True, slots=True)
class LocalSites:
    """`bases` by host: where a site is served; `sites` by host: the truth about it."""

    gallery: str
    bases: Mapping[str, str]
    sites: Mapping[str, Site]

    def localized(self, text: str) -> str:
        """*text* with all addresses of sites that are served here turned into local ones."""
        text = GALLERY.sub(self.gallery, text)
        return _HOST.sub(lambda found: self.bases.get(found[1], found[0]), text)


@contextmanager
def serving_for(texts: list[str], serve: Serve, folder: Path) -> Iterator[LocalSites]:
    """Serve every site that *texts* speak of."""
    worked = worked_hosts()
    hosts = {host for text in texts for host in _HOST.findall(text) if host in worked}
    sites = {host: site_of(worked[host]) for host in hosts}
    bases = {host: serve(site.write(folder / host)).base for host, site in sites.items()}
    with serve_gallery() as gallery:
        yield LocalSites(gallery, bases, sites)
