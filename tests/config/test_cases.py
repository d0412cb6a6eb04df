"""Every folder of cases/ holds a wrong config and the words it is refused with."""

from __future__ import annotations

from pathlib import Path

import pytest

from picspider.config.load import load_any_config
from picspider.errors import ConfigError
from picspider.paging import PAGING

CASES = sorted((Path(__file__).parent / "cases").iterdir())


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_a_wrong_config_is_refused_in_these_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File, line, key, what is wrong, the value, what to do; one line for each fault, no secret among them."""
    monkeypatch.chdir(folder)
    with pytest.raises(ConfigError) as caught:
        load_any_config("site.yaml")
    expected = (folder / "expected.txt").read_text(encoding="utf-8")
    assert str(caught.value) + "\n" == expected.replace("{PAGING}", ", ".join(PAGING))
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
