"""Names and extensions of formats."""

from __future__ import annotations

import pytest

from picspider.filters.format_names import EXTENSIONS, canonical, extension_of, is_picture_extension, same_format


def test_no_extension_names_two_formats() -> None:
    """An extension tells one format."""
    extensions = [each for several in EXTENSIONS.values() for each in several]
    assert len(extensions) == len(set(extensions))
    assert all(each == each.lower() and each.startswith(".") for each in extensions)


@pytest.mark.parametrize("name", EXTENSIONS)
def test_names_and_extensions_agree(name: str) -> None:
    """A format is found by its name in any case and by each of its extensions."""
    assert canonical(name.lower()) == name
    for extension in EXTENSIONS[name]:
        assert canonical(extension) == name
        assert is_picture_extension(extension.upper())
        assert same_format(extension.upper(), extension_of(name))


def test_formats_that_are_not_in_the_table() -> None:
    """Pillow's rarer formats go by their own name."""
    assert canonical("fits") == "FITS"
    assert extension_of("FITS") == ".fits"
    assert same_format(".fits", ".FITS")
    assert not same_format(".fits", ".jpg")
