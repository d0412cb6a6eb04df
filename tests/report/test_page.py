from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from picspider.report import page
from picspider.report.page import policy, script, script_json
from tests.conftest import need

FOLDER = Path(page.__file__).parent


def keys_of(name: str) -> set[str]:
    """The names of the texts in one language."""
    text = (FOLDER / f"{name}.js").read_text(encoding="utf-8").partition("advice:")[0]
    return set(re.findall(r"[{,\s]([a-z_]+): \"", text))


def test_both_languages_say_the_same() -> None:
    """Each text is there in English and in Chinese."""
    assert keys_of("words_en") == keys_of("words_zh")


def test_every_text_that_is_used_is_there() -> None:
    """A script asks for no text that is missing."""
    used = set(re.findall(r"\bt\(\"([a-z_]+)\"", script()))
    assert used - keys_of("words_en") == set()


def test_json_cannot_leave_its_element() -> None:
    """Facts hold no sign that could end the script element or begin a tag."""
    assert set(script_json({"a": "</script><!--&\u2028é"})) & set("<>&é\u2028") == set()


def test_policy_allows_only_the_page_itself() -> None:
    """Nothing is loaded from elsewhere, and no script or style but ours runs."""
    rules = dict(rule.split(" ", 1) for rule in policy(live=False).split("; "))
    assert rules["default-src"] == rules["connect-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert re.fullmatch(r"'sha256-[\w+/=]+'", rules["script-src"])
    assert "unsafe" not in policy(live=False) + policy(live=True)


def test_scripts_never_make_markup() -> None:
    """No script uses a way by which text could become markup or code."""
    ways = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    assert re.findall(ways, script()) == []


def test_scripts_are_valid(tmp_path: Path) -> None:
    """Node finds no error in the whole script."""
    node = shutil.which("node")
    need(node, "the report's scripts are checked by Node: apt-get install nodejs")
    file = tmp_path / "all.js"
    file.write_text(script(), encoding="utf-8")
    done = subprocess.run([str(node), "--check", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
