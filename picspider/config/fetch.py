"""Section `fetch`: how the site is asked."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Discriminator, Field, Tag

from picspider.config.entries import check_url
from picspider.config.section import (
    Count,
    ExistingFile,
    Flag,
    HeaderText,
    HeaderTexts,
    NonNegative,
    PositiveCount,
    PositiveFloat,
    Section,
    one_or_more,
)
from picspider.errors import nearest, wrong
from picspider.regexes.checked import Regex

REFERERS = ("parent", "origin", "none")
BROWSERS = ("firefox", "chrome", "chromium", "edge", "brave", "opera", "vivaldi", "librewolf", "safari")
PROXY_SCHEMES = ("http", "https")


def _referer(value: str) -> str:
    if value in REFERERS or "://" in value:
        return check_url(value) if "://" in value else value
    near = nearest(value, REFERERS)
    return wrong("is no known choice", f"did you mean {near}?" if near else "parent, origin, none or an address")


def _not_yet(value: bool) -> bool:  # noqa: FBT001 - a validator takes the value alone
    """Refused while no browser is driven, rather than taken and not obeyed."""
    return wrong("is not there yet", "leave it out; links in scripts are found without a browser") if value else value


def _user_agent(value: str) -> str:
    return value if value.strip() else wrong("is empty", "browser, random or a text in quotes")


def _proxy(value: str) -> str:
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in PROXY_SCHEMES:
        wrong("is not the address of a proxy", "write it as http://host:port or https://host:port")
    return value


def _host(value: str) -> str:
    if "/" in value:
        wrong("is an address where a host is wanted", f"write {urlsplit(value).netloc or value.partition('/')[0]}")
    if not re.fullmatch(r"[^\s:*@]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?", value):
        wrong("is no host name", "write it as example.org; its sub-domains are included")
    return value.lower()


def _header_names(headers: HeaderTexts) -> HeaderTexts:
    for name in headers:
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
            wrong(f"has what is no header name ('{name}')", "letters, digits and dashes, without the colon")
    return headers


def _cookie_form(value: object) -> str | None:
    if isinstance(value, str):
        return "<browser>" if value.startswith("browser:") else "<file>"
    return "<names>" if isinstance(value, dict) else None


def _browser(value: str) -> str:
    name = value.split(":", 2)[1]
    if name not in BROWSERS:
        near = nearest(name, BROWSERS)
        wrong("names no known browser", f"did you mean browser:{near}?" if near else f"known: {', '.join(BROWSERS)}")
    return value


_Cookies = Annotated[
    Annotated[ExistingFile, Tag("<file>")]
    | Annotated[str, AfterValidator(_browser), Tag("<browser>")]
    | Annotated[HeaderTexts, Tag("<names>")],
    Discriminator(
        _cookie_form,
        custom_error_type="picspider",
        custom_error_message="wants names with values, or the path of a cookies.txt",
    ),
]


class Auth(Section):
    """HTTP authentication, sent to the hosts of the entry only."""

    user: HeaderText = Field(description="User name.", repr=False)
    password: HeaderText = Field("", description="Password; never shown in logs, feeds or reports.", repr=False)


def _some_fields(fields: HeaderTexts) -> HeaderTexts:
    return fields or wrong("is empty", "write the names of the form's fields with their values")


class Login(Section):
    """The login form is filled in once, before the first request; its cookies go with all requests of the crawl."""

    page: Annotated[str, AfterValidator(check_url)] = Field(
        description="Address of the page with the form.", examples=["https://gallery.example/login"]
    )
    fields: Annotated[HeaderTexts, AfterValidator(_some_fields)] = Field(
        description="Fields of the form by name, with their values; never shown in logs, feeds or reports. The "
        "others, hidden ones included, keep what the page has put in.",
        examples=[{"username": "…", "password": "…"}],
        repr=False,
    )
    success: Regex | None = Field(
        None,
        description="Regex that is found in the page that comes after a login; null: the form must not come again.",
        examples=["Log out"],
    )


class Fetch(Section):
    """Politeness, patience and identity."""

    delay: NonNegative = Field(0.0, description="Seconds between two requests to the same host.", examples=[1.5])
    concurrency: PositiveCount = Field(16, description="Requests at once.")
    per_host: PositiveCount = Field(8, description="Requests at once to the same host.")
    timeout: PositiveFloat = Field(30.0, description="Seconds that an answer may take.")
    retries: Count = Field(3, description="Further attempts after a failure that may pass.")
    obey_robots: Flag = Field(True, description="Keep to robots.txt.")
    user_agent: Annotated[HeaderText, AfterValidator(_user_agent)] = Field(
        "browser",
        description="`browser`: one of a current browser; `random`: another for each host; else the text itself.",
        examples=["random", "Mozilla/5.0 (X11; Linux x86_64)"],
    )
    referer: Annotated[HeaderText, AfterValidator(_referer)] = Field(
        "parent",
        description="Referer sent: the page of the link (`parent`), its host only (`origin`), `none`, or an address.",
    )
    headers: Annotated[HeaderTexts, AfterValidator(_header_names)] = Field(
        default_factory=dict, description="Further headers.", examples=[{"Accept-Language": "de"}], repr=False
    )
    cookies: _Cookies = Field(
        default_factory=dict,
        description="Cookies by name, the path of a cookies.txt file (Netscape format), or `browser:NAME`: those that "
        f"a browser of this machine holds for the hosts of the entry ({', '.join(BROWSERS)}; `browser:NAME:PATH` "
        "names its cookie file).",
        examples=["cookies.txt", "browser:firefox", {"session": "…"}],
        repr=False,
    )
    login: Login | None = Field(None, description="A login form to fill in first.", repr=False)
    auth: Auth | None = Field(None, description="User name and password, if the site asks for them.", repr=False)
    proxy: Annotated[HeaderText, AfterValidator(_proxy)] | None = Field(
        None, description="Proxy for all requests.", examples=["http://127.0.0.1:3128"], repr=False
    )
    allowed_hosts: Annotated[tuple[Annotated[str, AfterValidator(_host)], ...], one_or_more] | None = Field(
        None, description="Only these hosts and their sub-domains are asked; null: any.", examples=[["gallery.example"]]
    )
    render: Annotated[Flag, AfterValidator(_not_yet)] = Field(
        False, description="Open pages in a browser, for sites that build them by script. Not yet: only false is taken."
    )
    allow_private_addresses: Flag = Field(
        False,
        description="Follow links and redirects from a public site into loopback or private networks. An entry on "
        "such an address allows that address itself.",
    )
