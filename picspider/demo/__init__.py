"""A small picture site that is drawn on the spot and served on 127.0.0.1."""

from picspider.demo.server import is_free, serve_gallery

__all__ = ["is_free", "serve_gallery"]
