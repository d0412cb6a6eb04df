"""Section `fetch`: how the site is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
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
    wrong,
)

REFERERS = ("parent", "origin", "none")
PROXY_SCHEMES = ("http", "https", "socks4", "socks5", "socks5h")


def _referer(value: str) -> str:
    if value in REFERERS or "://" in value:
        return check_url(value) if "://" in value else value
    near = get_close_matches(value.lower(), REFERERS, 1, 0.5)
    return wrong("is no known choice", f"did you mean {near[0]}?" if near else "parent, origin, none or an address")


def _user_agent(value: str) -> str:
    return value if value.strip() else wrong("is empty", "browser, random or a text in quotes")


def _proxy(value: str) -> str:
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in PROXY_SCHEMES:
        wrong("is not the address of a proxy", "write it as http://host:port or socks5://host:port")
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
    return "<file>" if isinstance(value, str) else "<names>" if isinstance(value, Mapping) else None


_Cookies = Annotated[
    Annotated[ExistingFile, Tag("<file>")] | Annotated[HeaderTexts, Tag("<names>")],
    Discriminator(
        _cookie_form,
        custom_error_type="picspider",
        custom_error_message="wants names with values, or the path of a cookies.txt",
    ),
]


class Auth(Section):
    """HTTP authentication, sent to the hosts of the entry only."""

    user: HeaderText = Field(description="User name.")
    password: HeaderText = Field("", description="Password; never shown in logs, feeds or reports.", repr=False)


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
        description="Cookies by name, or the path of a cookies.txt file (Netscape format).",
        examples=["cookies.txt", {"session": "…"}],
        repr=False,
    )
    auth: Auth | None = Field(None, description="User name and password, if the site asks for them.", repr=False)
    proxy: Annotated[HeaderText, AfterValidator(_proxy)] | None = Field(
        None, description="Proxy for all requests.", examples=["socks5://127.0.0.1:9050"], repr=False
    )
    allowed_hosts: Annotated[tuple[Annotated[str, AfterValidator(_host)], ...], one_or_more] | None = Field(
        None, description="Only these hosts and their sub-domains are asked; null: any.", examples=[["gallery.example"]]
    )
    render: Flag = Field(False, description="Open pages in a browser, for sites that build them by script.")
    allow_private_addresses: Flag = Field(
        False,
        description="Follow links and redirects from a public site into loopback or private networks. An entry on "
        "such an address allows that address itself.",
    )
