"""picspider: a structured picture downloader on Scrapy.

A site is stripped layer by layer, from the entry page down to the full-size pictures.
"""

__version__ = "0.1.0"
