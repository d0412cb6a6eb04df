"""Fetching: a downloader and a download handler for Scrapy, and its downloader middlewares.

| setting | value | read by |
|---|---|---|
| PICSPIDER_ALLOWED_ADDRESSES | list of hosts that may be private; None: no address is refused | guard, handler |
| PICSPIDER_ALLOW_PRIVATE_ADDRESSES | bool | guard, handler |
| PICSPIDER_ALLOWED_HOSTS | list of hosts ("name", all below it included, or "name:port"); None: all | guard |
| PICSPIDER_ENTRY_HOSTS | list of "host:port": the servers that secrets are for | headers, cookies |
| PICSPIDER_HEADERS | dict | headers |
| PICSPIDER_REFERER | "parent", "origin", "none" or a URL | headers |
| PICSPIDER_AUTH | (user, password) or None | headers |
| PICSPIDER_COOKIES | dict, the path of a Netscape cookies.txt, or "browser:NAME" | cookies, browser_cookies |
| PICSPIDER_LOGIN | the config's `Login`, or None | login |
| PICSPIDER_USER_AGENT | "browser", "random" or the text | user_agents, robots |
| PICSPIDER_PROXY | URL or None | proxy |
| PICSPIDER_BACKOFF_MAX | longest wait between two attempts, in seconds (60) | retries |
| PICSPIDER_RETRY_AFTER_MAX | longest Retry-After that is obeyed in full, in seconds (120) | retries |
| PICSPIDER_HOST_PATIENCE | failures in a row after which a host gets no more retries (30) | retries |

Scrapy's own settings keep their meaning: CONCURRENT_REQUESTS, CONCURRENT_REQUESTS_PER_DOMAIN (of a host and port),
DOWNLOAD_DELAY, DOWNLOAD_DELAY_JITTER, DOWNLOAD_SLOTS, DOWNLOAD_TIMEOUT (of the whole transfer), DOWNLOAD_MAXSIZE,
DOWNLOAD_VERIFY_CERTIFICATES (verified unless it is set to False), DOWNLOAD_TLS_*, RETRY_TIMES, REDIRECT_MAX_TIMES,
ROBOTSTXT_OBEY, COOKIES_ENABLED, HTTPPROXY_ENABLED.
"""

MIDDLEWARES: dict[str, int] = {
    "picspider.fetch.middlewares.guard.Guard": 50,
    "picspider.fetch.middlewares.robots.Robots": 100,
    "picspider.fetch.middlewares.headers.RequestHeaders": 300,
    "picspider.fetch.middlewares.user_agents.UserAgents": 400,
    "picspider.fetch.middlewares.retries.Retries": 550,
    "picspider.fetch.middlewares.redirects.Redirects": 600,
    "picspider.fetch.middlewares.cookies.Cookies": 700,
    "picspider.fetch.middlewares.proxy.Proxy": 750,
}
"""For the setting DOWNLOADER_MIDDLEWARES_BASE, in the place of Scrapy's own."""
