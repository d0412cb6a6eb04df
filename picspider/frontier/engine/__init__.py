"""Scrapy's engine: how a request is taken through it, and when it is woken."""
