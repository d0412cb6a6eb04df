"""The names of picture formats (Pillow's) and the extensions each goes by. A new format is one line in `EXTENSIONS`."""

from __future__ import annotations

# The first extension is the one that is written when the address has none of them.
EXTENSIONS: dict[str, tuple[str, ...]] = {
    "JPEG": (".jpg", ".jpeg", ".jpe", ".jfif", ".jif", ".pjpeg", ".pjp", ".mpo"),
    "PNG": (".png", ".apng"),
    "GIF": (".gif",),
    "WEBP": (".webp",),
    "AVIF": (".avif", ".avifs"),
    "BMP": (".bmp", ".dib"),
    # many cameras' raw files are TIFF by their structure, and viewers tell them by the extension only
    "TIFF": (
        *(".tif", ".tiff", ".dng", ".nef", ".nrw", ".cr2", ".arw", ".srf", ".sr2", ".pef", ".srw", ".3fr"),
        *(".erf", ".kdc", ".dcr", ".iiq", ".rwl", ".gpr"),
    ),
    "ICO": (".ico",),
    "CUR": (".cur",),
    "SVG": (".svg", ".svgz"),
    "JXL": (".jxl",),
    "HEIF": (".heic", ".heif", ".hif"),
    "JPEG2000": (".jp2", ".j2k", ".j2c", ".jpc", ".jpf", ".jpx"),
    "PPM": (".ppm", ".pgm", ".pbm", ".pnm", ".pfm", ".pam"),
    "TGA": (".tga", ".icb", ".vda", ".vst"),
    "PSD": (".psd", ".psb"),
    "PCX": (".pcx",),
    "DDS": (".dds",),
    "EPS": (".eps", ".ps", ".epsf", ".epsi"),
    "ICNS": (".icns",),
    "SGI": (".sgi", ".rgb", ".rgba", ".bw"),
    "SUN": (".ras",),
    "XBM": (".xbm",),
    "XPM": (".xpm",),
    "QOI": (".qoi",),
    "WMF": (".wmf", ".emf"),
}

_NAME_OF: dict[str, str] = {extension: name for name, extensions in EXTENSIONS.items() for extension in extensions}


def canonical(name: str) -> str:
    """The format that a user calls *name*: ``jpg``, ``.JPG``, ``jpeg`` and ``JPEG`` are all JPEG."""
    bare = name.strip().lower().lstrip(".").removeprefix("image/").removesuffix("+xml").removeprefix("x-")
    return _NAME_OF.get("." + bare, bare.upper())


def extension_of(name: str) -> str:
    """The extension written for the format *name*, with its dot."""
    return EXTENSIONS[name][0] if name in EXTENSIONS else "." + name.lower()


def is_picture_extension(extension: str) -> bool:
    """Whether *extension* (with its dot, any case) names a picture format."""
    return extension.lower() in _NAME_OF


def same_format(extension: str, other: str) -> bool:
    """Whether two extensions (with their dots, any case) name the same format, as ``.JPG`` and ``.jpeg`` do."""
    lower, other_lower = extension.lower(), other.lower()
    return lower == other_lower or (lower in _NAME_OF and _NAME_OF[lower] == _NAME_OF.get(other_lower))
