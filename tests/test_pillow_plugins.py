from __future__ import annotations

import io

import pytest
from PIL import Image

from picspider.pillow_plugins import load_plugin, load_plugins


def test_formats_of_the_plugins() -> None:
    """After loading, Pillow writes and reads HEIF and JPEG XL."""
    load_plugins()
    for name in ("HEIF", "JXL"):
        stream = io.BytesIO()
        Image.new("RGB", (16, 8), "red").save(stream, name)
        with Image.open(stream) as picture:
            assert (picture.format, picture.size) == (name, (16, 8))


def test_plugin_that_is_not_installed() -> None:
    """It is told, and does no harm to the others."""
    with pytest.raises(ImportError):
        load_plugin("pillow_nothing")
