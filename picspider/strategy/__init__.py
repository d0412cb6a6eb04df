"""What to visit next: pure functions of a page and the rules, no Scrapy and no store."""
