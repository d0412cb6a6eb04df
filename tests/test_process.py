from __future__ import annotations

from pathlib import Path

from tests.crawls.running import run

SPIDER = """
import scrapy
from picspider.errors import PicspiderError
from picspider.process import project_settings, start_process

class Broken(scrapy.Spider):
    name = "broken"

    @classmethod
    def from_crawler(cls, crawler, trouble):
        raise trouble

settings = project_settings()
settings.setdict({"LOG_ENABLED": False, "EXTENSIONS": {}})
crawler = start_process(settings, Broken, {"trouble": %s("it broke")})
print("told:", crawler.spider)
"""


def test_what_stops_a_spider_before_it_starts(tmp_path: Path) -> None:
    """A fault of ours is raised; what the user has to mend has been told, and there is no spider."""
    script = tmp_path / "broken.py"
    script.write_text(SPIDER % "KeyError", encoding="utf-8")
    done = run(str(script))
    assert done.returncode == 1
    assert "KeyError: 'it broke'" in done.stdout
    script.write_text(SPIDER % "PicspiderError", encoding="utf-8")
    done = run(str(script))
    assert done.stdout.strip() == "told: None"
