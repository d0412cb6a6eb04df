"""How the tests of this folder run a coroutine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.fetch.servers import Fetcher, Fetchers, Run


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
