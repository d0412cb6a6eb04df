from __future__ import annotations

import pytest

from picspider.links.stated import stated_in


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Summer (45 photos)", 45),
        ("<b>45</b>&nbsp;<span class=unit>Bilder</span>", 45),
        ("1,234 pictures", 1234),
        ("1.234 Fotos", 1234),
        ("共45张", 45),
        ("图片：45", 45),
        ("海岸 [45P]", 45),
        ("page 3. Photos: 45", 45),
        ("1-20 of 45 images", 45),
        ("45 фотографий", 45),
        ("best of 2023 photos", None),
        ("第45张", None),
        ("45P", None),
        ("12 photos here, 30 photos there", None),
        ('<img src="/45/photo.jpg">', None),
        ("IMG45 photos", None),
        ("45 photobooks", None),
    ],
)
def test_counts_as_people_write_them(text: str, count: int | None) -> None:
    """A number before or behind the word, in several languages; years, ordinals and contradictions are no counts."""
    assert stated_in(text) == count
