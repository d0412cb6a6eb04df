"""The reasons why a URL could not be had: one row each. A new failure reason is one line in `REASONS`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """`passing`: it may be gone in a while, so it is tried again; `advice`: what the user can do; `condition`: when it
    may, if that is not all that counts.
    """

    advice: str
    passing: bool = False
    condition: str = ""


REASONS: dict[str, Reason] = {
    "dns": Reason("Check the host name and your name server.", passing=True),
    "connection": Reason("The server refused or dropped the connection; try again later.", passing=True),
    "tls": Reason("The certificate or the handshake is wrong; check the address and the clock."),
    "timeout": Reason("Raise fetch.timeout, or try again later.", passing=True),
    "http": Reason(
        "The server answered with an error status; see the status.", condition="with 408, 425, 429 and most 5xx"
    ),
    "bad-response": Reason("The answer is not valid HTTP, or not what was asked for.", passing=True),
    "redirect-loop": Reason("The redirects do not end; the site may want cookies or a login."),
    "login-redirect": Reason("The site sent us to a login page; set fetch.cookies or fetch.auth."),
    "robots": Reason("robots.txt forbids it; fetch.obey_robots: false ignores robots.txt."),
    "offsite": Reason("The host is not in fetch.allowed_hosts."),
    "scheme": Reason("Only http and https are fetched."),
    "forbidden-address": Reason("A public page led to a private address; fetch.allow_private_addresses permits it."),
    "bad-url": Reason("The address on the page is not a valid URL."),
    "too-large": Reason("Larger than pictures.max_size; raise it."),
    "truncated": Reason(
        "The connection was cut, or the file on the server ends too early; try again later.",
        passing=True,
        # A file that came as the server has it is not asked for again within the run.
        condition="if the connection was cut",
    ),
    "empty": Reason("The server sent nothing; try again later.", passing=True),
    "encoding": Reason("The compressed answer could not be decoded.", passing=True),
    "not-a-picture": Reason("What came is not a picture: hot-link protection or a login page, perhaps."),
    "unsupported": Reason("The picture format cannot be read; add it to pictures.formats to keep it unverified."),
    "corrupt": Reason("The picture is damaged on the server."),
    "bomb": Reason("It unpacks to far more than it should; raise pictures.max_size if it is real."),
    "placeholder": Reason(
        "The site sent the same stand-in picture for many addresses; see fetch.referer and fetch.cookies."
    ),
    "not-a-page": Reason("A page was expected; the layer's rule may match too much."),
    "storage": Reason("The file could not be written: disk full, no permission, or a file in the way."),
    "parse": Reason("The page could not be read; please report it with the log."),
}

# The server's trouble, or too many requests for it; 501, 505, 510 and 511 say that this request will never do.
PASSING_STATUSES = frozenset({408, 425, 429, *range(500, 600)} - {501, 505, 510, 511})
PASSING_REASONS = frozenset(name for name, reason in REASONS.items() if reason.passing)


def may_pass(reason: str, status: int | None) -> bool:
    """Whether a failure may be gone in a while, and is worth another try: by its *reason*, of `http` by status."""
    return status in PASSING_STATUSES if reason == "http" else reason in PASSING_REASONS
