from __future__ import annotations

import asyncio
import re
from urllib.parse import quote

import pytest

from picspider.config.load import load_config
from picspider.errors import Failed
from picspider.propose.plan import Proposal, propose
from picspider.propose.yaml_text import yaml_text
from tests.propose.made_sites import decoys, scripted
from tests.propose.memory_site import BASE, MemorySite
from tests.sites.site import Site
from tests.sites.worked import site_of


def proposal_for(site: Site, entry: str = "/") -> tuple[Proposal, MemorySite]:
    """What is proposed for a made site."""
    asked = MemorySite(site)
    found = asyncio.run(propose(asked, BASE + entry))
    assert found is not None
    return found, asked


ENTRIES = {"chinese": "/list.html", "depth_first": "/", "lazy_load": "/gallery/", "next_by_rel": "/"}


@pytest.mark.parametrize(("name", "entry"), ENTRIES.items())
def test_last_rule_takes_the_pictures(name: str, entry: str) -> None:
    """The last rule takes every picture of the site, linked where it may be, and no thumbnail."""
    site = site_of(name)
    found, _ = proposal_for(site, entry)
    rule = found.layers[-1].rule
    pattern = re.compile(rule.links)
    assert all(pattern.search(BASE + quote(path)) for path in site.pictures)
    assert not [path for path in site.left_alone if pattern.search(BASE + path)]


def test_decoys_are_left_alone() -> None:
    """No layer leads to tags, shares or other people's galleries; pages of one picture go on nowhere."""
    site = decoys()
    found, asked = proposal_for(site)
    assert [layer.goes_on.rule if layer.goes_on else None for layer in found.layers] == ["Older posts", None, None]
    config = load_config(yaml_text(found, "out"))
    assert [layer.has_own_paging for layer in config.layers] == [True, True, False]
    assert re.search(config.layers[1].links, f"{BASE}/galleries/castle/4/")
    assert not re.search(config.layers[1].links, f"{BASE}/galleries/by-others-1/")
    assert len(asked.asked) <= 25
    assert len(set(asked.asked)) == len(asked.asked)


def test_pictures_in_scripts() -> None:
    """Of two sizes in the strings of a script the large one is taken."""
    found, _ = proposal_for(scripted())
    assert all("_orig." in url for url in found.route.steps[-1].urls)


def test_links_that_scripts_write_are_searched_in_the_source() -> None:
    """A list that goes on in a script gets a rule on the page source."""
    found, _ = proposal_for(site_of("page_source"), "/index.html")
    assert found.layers[0].rule.links == r'href="show\.php\?set=\d+"'


def test_thumbnails_only() -> None:
    """Where only thumbnails are linked, the address of the full picture is guessed and tried."""
    found, _ = proposal_for(site_of("thumbnails"))
    assert found.rewrite is not None
    config = load_config(yaml_text(found, "out"))
    assert config.layers[-1].rewrite is not None
    assert config.layers[-1].rewrite.apply(f"{BASE}/cache/120x80/a/0.jpg") == f"{BASE}/originals/a/0.jpg"


def test_text_has_the_evidence() -> None:
    """The config says what was counted, shows three samples of each layer, and how sure each rule is."""
    found, _ = proposal_for(site_of("next_per_layer"), "/rooms")
    text = yaml_text(found, "downloads/museum", ("tried it",))
    assert text.count("; confidence ") == len(found.layers) == 3
    assert len(re.findall(r"^  #   https://", text, re.MULTILINE)) == 9
    assert "# tried it" in text
    assert load_config(text).output == "downloads/museum"


def test_no_pictures() -> None:
    """A site without pictures has no proposal; one whose entry cannot be had raises."""
    site = Site()
    site.page("/", '<a href="/a.html">a</a>')
    site.page("/a.html", "<p>text</p>")
    assert asyncio.run(propose(MemorySite(site), f"{BASE}/")) is None
    with pytest.raises(Failed, match="404"):
        asyncio.run(propose(MemorySite(site), f"{BASE}/nothing"))


def test_budget() -> None:
    """However large the site, no more pages are asked for than agreed, and what was found is proposed."""
    asked = MemorySite(decoys(), pages_left=9)
    asyncio.run(propose(asked, f"{BASE}/"))
    assert len(asked.asked) <= 9
