"""A small picture site that is drawn on the spot and served on 127.0.0.1."""

from picspider.demo.server import serve_gallery

__all__ = ["serve_gallery"]
