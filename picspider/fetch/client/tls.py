"""The TLS settings of the crawl: certificates are verified unless the user switches that off."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_VERSIONS = {
    "TLSv1.0": ssl.TLSVersion.TLSv1,
    "TLSv1.1": ssl.TLSVersion.TLSv1_1,
    "TLSv1.2": ssl.TLSVersion.TLSv1_2,
    "TLSv1.3": ssl.TLSVersion.TLSv1_3,
}


def tls_context(settings: BaseSettings) -> ssl.SSLContext:
    """A client context after Scrapy's settings, but verifying: Scrapy's own default is not to.

    DOWNLOAD_VERIFY_CERTIFICATES switches it off only when somebody has set it; DOWNLOAD_TLS_MIN_VERSION,
    DOWNLOAD_TLS_MAX_VERSION and DOWNLOADER_CLIENT_TLS_CIPHERS mean what they mean in Scrapy.
    """
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    is_set = (settings.getpriority("DOWNLOAD_VERIFY_CERTIFICATES") or 0) > 0
    if is_set and not settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if settings["DOWNLOAD_TLS_MIN_VERSION"]:
        context.minimum_version = _VERSIONS[settings["DOWNLOAD_TLS_MIN_VERSION"]]
    if settings["DOWNLOAD_TLS_MAX_VERSION"]:
        context.maximum_version = _VERSIONS[settings["DOWNLOAD_TLS_MAX_VERSION"]]
    if settings["DOWNLOADER_CLIENT_TLS_CIPHERS"]:
        context.set_ciphers(settings["DOWNLOADER_CLIENT_TLS_CIPHERS"])
    return context
