"""The report while the crawl runs: a small server on 127.0.0.1 for one person with a token."""
