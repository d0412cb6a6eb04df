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
try:
    start_process(settings, Broken, {"trouble": %s("it broke")})
except Exception as error:
    print("raised:", repr(error))
"""


def test_what_stops_a_spider_before_it_starts(tmp_path: Path) -> None:
    """A fault of ours and what the user has to mend are raised alike, once each and by nobody else."""
    script = tmp_path / "broken.py"
    script.write_text(SPIDER % "KeyError", encoding="utf-8")
    assert run(str(script)).stdout.strip() == "raised: KeyError('it broke')"
    script.write_text(SPIDER % "PicspiderError", encoding="utf-8")
    assert run(str(script)).stdout.strip() == "raised: PicspiderError('it broke')"
