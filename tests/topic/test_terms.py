"""Stems, and the words of a URL."""

from __future__ import annotations

from picspider.topic.terms import terms, url_terms


def test_forms_of_one_word_share_a_term() -> None:
    """Plural and singular, query and queries, are one term; Chinese words stay as they are."""
    assert terms("Graphs graph queries query 图表") == ("graph", "graph", "queri", "queri", "图表")


def test_url_terms_are_decoded_parted_and_without_extension() -> None:
    """Path and query count, the host and the file extension do not."""
    url = "https://elsewhere.example/elliptic_curves/tateModule.html?topic=%E5%9B%BE%E8%A1%A8"
    assert url_terms(url) == {"ellipt", "curv", "tate", "modul", "topic", "图表"}


def test_no_url_is_refused() -> None:
    """Whatever stands on a page may be asked about."""
    assert url_terms("http://[bad/orchids?q=Roots#leaves") == {"orchid", "root"}
    assert url_terms("mailto:orchids") == frozenset()


def test_a_bare_site_has_no_terms() -> None:
    """The entry of a site says nothing by its URL."""
    assert url_terms("https://elsewhere.example/") == frozenset()
