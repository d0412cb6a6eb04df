"""A few URLs of a site asked as a crawl would ask them, for the commands that look before, or beside, a crawl."""
