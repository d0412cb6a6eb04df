"""The frontier: which URLs are known, which wait, which run, and what became of each; kept in one SQL table."""
