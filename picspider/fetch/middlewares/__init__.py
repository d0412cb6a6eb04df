"""Scrapy downloader middlewares, one file each."""
