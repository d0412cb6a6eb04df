"""How the tests of this folder run a coroutine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.fetch.servers import Fetcher, Fetchers, Run
from tests.fetch.site import Crawl, Engine, Engines


@pytest.fixture
def run() -> Run:
    """Runs an async test, giving it a function that makes fetchers; closes them afterwards."""

    def runner(test: Callable[[Fetchers], Awaitable[None]]) -> None:
        async def main() -> None:
            made: list[Fetcher] = []

            def fetcher(**settings: object) -> Fetcher:
                made.append(Fetcher(**settings))
                return made[-1]

            try:
                await asyncio.wait_for(test(fetcher), 30)
            finally:
                for each in made:
                    await each.handler.close()

        asyncio.run(main())

    return runner


@pytest.fixture
def crawl() -> Crawl:
    """Runs an async test, giving it a function that makes engines; closes them afterwards."""

    def runner(test: Callable[[Engines], Awaitable[None]]) -> None:
        async def main() -> None:
            made: list[Engine] = []

            def engine(**settings: object) -> Engine:
                made.append(Engine(**settings))
                return made[-1]

            try:
                await asyncio.wait_for(test(engine), 30)
            finally:
                for each in made:
                    await each.close()

        asyncio.run(main())

    return runner
