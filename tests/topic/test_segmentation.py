"""Text cut into words."""

from __future__ import annotations

import pytest

from picspider.topic.segmentation import SEGMENTERS, all_words, character_pairs, fold, segmenter, words


def test_english_text_is_cut_and_stop_words_go() -> None:
    """Case is folded; stop words and bare numbers are left out."""
    assert words("The Graphs of 12 polyhedra, and their VERTICES") == ["graphs", "polyhedra", "vertices"]


def test_all_words_keeps_stop_words() -> None:
    """The unfiltered cut still holds every word."""
    assert all_words("the graph of 12") == ["the", "graph", "of", "12"]


def test_chinese_text_is_cut_by_the_dictionary() -> None:
    """Words of several characters come out whole, function words are left out."""
    assert words("数据库中的查询") == ["数据库", "查询"]


def test_mixed_text_is_cut_at_the_change_of_script() -> None:
    """A Latin word that touches Chinese characters is a word of its own."""
    assert words("用Python编程") == ["python", "编程"]


def test_traditional_and_simplified_fold_to_the_same_words() -> None:
    """The script does not matter, nor does Taiwan's word for the same thing."""
    assert words("資料庫與網路") == words("数据库与网络") == ["数据库", "网络"]


def test_full_width_forms_fold() -> None:
    """Full-width Latin letters are the plain ones."""
    assert fold("ＰＤＦ") == "pdf"


@pytest.mark.parametrize("name", SEGMENTERS)
def test_every_segmenter_keeps_the_text(name: str) -> None:
    """No segmenter of the table loses or reorders a character."""
    cut = segmenter(name)("图像处理")
    assert dict.fromkeys("".join(cut)) == dict.fromkeys("图像处理")


def test_pairs_overlap_and_a_single_character_stays() -> None:
    """Without a dictionary, Chinese is cut into overlapping pairs."""
    assert character_pairs("数据库") == ["数据", "据库"]
    assert character_pairs("库") == ["库"]


def test_empty_text_has_no_words() -> None:
    """Nothing comes out of nothing, or of punctuation alone."""
    assert words("") == words(" …!? 。 ") == []
