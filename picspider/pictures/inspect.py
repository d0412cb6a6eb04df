"""Judge a picture by its bytes: what it is, how large, and whether all of it is there.

The size comes from the header, completeness from the structure (trailer, chunk and box lengths, checksums);
pixels are decoded only where the structure leaves a doubt. Nothing is written, nothing is re-encoded.
"""

from __future__ import annotations

import struct
from dataclasses import replace

from picspider.errors import Failed
from picspider.filters.base import Sniff
from picspider.filters.format_names import canonical, extension_of
from picspider.pictures import by_pillow
from picspider.pictures.formats import PictureFormat, has_decoder, recognise
from picspider.pictures.formats.header import Header
from picspider.pictures.not_pictures import describe
from picspider.records import Facts

# A bomb has more pixels than Pillow agrees to decode (its limit is the same), in far fewer bytes than a picture takes.
MOST_PIXELS = 178_956_970
MOST_PIXELS_PER_BYTE = 50

_NONE: frozenset[str] = frozenset()


def inspect(body: bytes, *, extra_formats: frozenset[str] = _NONE) -> Facts:
    """The facts of the picture *body*.

    `extra_formats`: formats the user names; one of them that cannot be decoded here (SVG, or HEIF and JXL
    without their plugins) is kept unverified, with the size its header gives or 0x0.

    Raises Failed: "empty", "not-a-picture" (the message says what it is), "truncated", "corrupt", "bomb",
    "unsupported". Nothing else.
    """
    if not body:
        raise Failed("empty", "an empty body")
    known = recognise(body)
    if known is None:
        return _unknown(body, extra_formats)
    if not has_decoder(known.decoder):
        return _unverified(body, known, extra_formats)
    try:
        header = known.header(body)
        _refuse_bomb(header.width, header.height, len(body))
        header = known.finish(body, header)
    except (IndexError, struct.error):
        raise Failed("truncated", f"{known.name} ends early, after {len(body):,} bytes") from None
    return _decoded(body, known, header) if header.doubt else _facts(known.name, header, len(body))


def sniff(head: bytes) -> Sniff | None:
    """Format and size from the first bytes of a body; None when they are no known picture's, or too few.

    The size is 0x0 while it is not in the bytes yet; some hundred bytes are enough, 64 kB with a large EXIF block.
    """
    known = recognise(head)
    if known is None:
        return None
    try:
        header = known.header(head)
    except (Failed, IndexError, struct.error):
        return Sniff(known.name, settled=False)
    width, height = (header.height, header.width) if header.turned else (header.width, header.height)
    return Sniff(known.name, width, height, header.settled)


def _facts(name: str, header: Header, size_bytes: int) -> Facts:
    width, height = (header.height, header.width) if header.turned else (header.width, header.height)
    return Facts(name, width, height, extension_of(name), size_bytes, header.animated)


def _decoded(body: bytes, known: PictureFormat, header: Header) -> Facts:
    """The facts of a picture whose structure leaves a doubt."""
    if header.width * header.height > by_pillow.MOST_DECODED_PIXELS:
        raise Failed("bomb", f"{header.width}x{header.height} pixels in {len(body):,} bytes")
    opened = by_pillow.decode(body, only=known.name, decoder=known.decoder)
    if opened is None:
        raise Failed("corrupt", f"{known.name} that cannot be decoded")
    if header.width and header.height:
        return _facts(known.name, header, len(body))
    found = Header(opened.width, opened.height, animated=opened.animated)
    return _facts(known.name, found, len(body))


def _unverified(body: bytes, known: PictureFormat, extra_formats: frozenset[str]) -> Facts:
    """The facts of a picture that cannot be decoded here, when the user wants it all the same."""
    if not _is_wanted(known.name, extra_formats):
        needed = f"; it needs the package {known.decoder}" if known.decoder else ""
        raise Failed("unsupported", f"{known.name} cannot be checked here{needed}")
    try:
        header = known.header(body)
    except (Failed, IndexError, struct.error):
        header = Header(0, 0)
    if not known.decoder:
        header = known.finish(body, header)
    return _facts(known.name, header, len(body))


def _unknown(body: bytes, extra_formats: frozenset[str]) -> Facts:
    """The facts of a picture in a format that only Pillow knows; Failed("not-a-picture") for all else."""
    head = body[:16384]
    opened = None if head.lstrip()[:1] in (b"<", b"{", b"[") else by_pillow.decode(body)
    if opened is None:
        raise Failed("not-a-picture", f"not a picture but {describe(head)}")
    name = "JPEG" if opened.format == "MPO" else opened.format
    _refuse_bomb(opened.width, opened.height, len(body))
    if not opened.decodable and not _is_wanted(name, extra_formats):
        raise Failed("unsupported", f"{name} cannot be decoded here")
    return replace(_facts(name, Header(opened.width, opened.height), len(body)), animated=opened.animated)


def _is_wanted(name: str, extra_formats: frozenset[str]) -> bool:
    return name in map(canonical, extra_formats)


def _refuse_bomb(width: int, height: int, size_bytes: int) -> None:
    pixels = width * height
    if pixels > MOST_PIXELS and pixels > MOST_PIXELS_PER_BYTE * size_bytes:
        raise Failed("bomb", f"{width}x{height} pixels in {size_bytes:,} bytes")
