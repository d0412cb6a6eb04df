from __future__ import annotations

import asyncio
import time

from scrapy import Request

from picspider.fetch.slots import HostSlot


def request() -> Request:
    """Any request."""
    return Request("http://h/")


def test_places_are_given_in_turn() -> None:
    """Who comes when all places are taken waits for one, first come, first served."""

    async def main() -> None:
        slot = HostSlot("h:80", concurrency=1)
        first, second, third = request(), request(), request()
        assert slot.take(first) is None
        turn2, turn3 = slot.take(second), slot.take(third)
        assert turn2 is not None
        assert turn3 is not None
        slot.release(first)
        assert turn2.done()
        assert not turn3.done()
        assert slot.transferring == {second}
        slot.release(second)
        assert turn3.done()

    asyncio.run(main())


def test_who_gave_up_is_passed_over() -> None:
    """A request that was cancelled while it waited keeps no place."""

    async def main() -> None:
        slot = HostSlot("h:80", concurrency=1)
        first, second, third = request(), request(), request()
        slot.take(first)
        turn2, turn3 = slot.take(second), slot.take(third)
        assert turn2 is not None
        assert turn3 is not None
        turn2.cancel()
        slot.release(first)
        assert turn3.done()

    asyncio.run(main())


def test_a_hold_is_over_in_time() -> None:
    """Nothing starts during a hold, a longer one is not shortened, and then everything does."""

    async def main() -> None:
        slot = HostSlot("h:80", concurrency=5)
        slot.hold(0.2)
        slot.hold(0.05)
        start = time.monotonic()
        turns = [slot.take(request()) for _ in range(3)]
        assert slot.free_places() == 0
        assert not slot.is_idle()
        await asyncio.gather(*(turn for turn in turns if turn is not None))
        assert 0.19 <= time.monotonic() - start < 1
        assert slot.seconds_until_ready() == 0

    asyncio.run(main())


def test_jitter_varies_the_gap() -> None:
    """The gap after each start is drawn anew, within its bounds."""

    async def main() -> None:
        slot = HostSlot("h:80", concurrency=99, delay=10, jitter=0.5)
        gaps = set()
        for _ in range(50):
            slot._start(request())
            gaps.add(slot.download_delay())
        assert 5 <= min(gaps) < max(gaps) <= 15

    asyncio.run(main())
