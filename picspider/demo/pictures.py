"""Pictures drawn on the spot: landscapes that differ by a number."""

from __future__ import annotations

import io
import math
import random
from typing import Any

from PIL import Image, ImageDraw

Colour = tuple[int, int, int]


def landscape(seed: int, width: int, height: int, kind: str = "JPEG") -> bytes:
    """The bytes of a picture of *width* × *height* pixels: a sky, a sun and hills, the same for the same *seed*.

    *kind* is a format of Pillow's: JPEG, PNG, WEBP or GIF (which moves).
    """
    frames = [_frame(seed, width, height, hour / 6) for hour in range(3 if kind == "GIF" else 1)]
    options: dict[str, Any] = {"save_all": True, "append_images": frames[1:]} if kind == "GIF" else {}
    target = io.BytesIO()
    frames[0].save(target, kind, **options)
    return target.getvalue()


def _frame(seed: int, width: int, height: int, hour: float) -> Image.Image:
    dice = random.Random(seed)
    top, bottom = _colour(dice, 40, 140), _colour(dice, 150, 250)
    sky = Image.new("RGB", (1, height))
    sky.putdata([_blend(top, bottom, y / height) for y in range(height)])
    picture = sky.resize((width, height))
    draw = ImageDraw.Draw(picture)
    radius = height * dice.uniform(0.05, 0.12)
    x, y = width * (dice.uniform(0.1, 0.6) + hour * 0.3), height * dice.uniform(0.15, 0.4)
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(255, 236, 170))
    for distance in range(4):
        _hill(draw, dice, (width, height), distance)
    return picture


def _hill(draw: ImageDraw.ImageDraw, dice: random.Random, size: tuple[int, int], distance: int) -> None:
    width, height = size
    base, swing = height * (0.5 + 0.13 * distance), height * 0.1
    wave, shift = dice.uniform(1, 3) * math.tau / width, dice.uniform(0, math.tau)
    step = max(1, width // 60)
    ridge = [(x, base + swing * math.sin(x * wave + shift)) for x in range(0, width + step, step)]
    draw.polygon([(0, height), *ridge, (width, height)], fill=_colour(dice, 90 - 20 * distance, 150 - 25 * distance))


def _colour(dice: random.Random, low: int, high: int) -> Colour:
    return dice.randint(low, high), dice.randint(low, high), dice.randint(low, high)


def _blend(first: Colour, second: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue
