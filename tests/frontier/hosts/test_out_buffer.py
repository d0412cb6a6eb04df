from __future__ import annotations

from picspider.frontier.hosts.out_buffer import OutBuffer
from picspider.records import Row


def row(number: int, host: str) -> Row:
    """A row of *host*."""
    return Row(number, f"http://{host}/{number}", host, 1, 1, "page", 0, None, 0, number, "", None)


def test_rows_of_a_host_come_in_order_and_busy_hosts_wait() -> None:
    """A row comes from the host with most free places, the oldest first; none when every host is busy."""
    buffer = OutBuffer()
    buffer.add([row(1, "a"), row(2, "b"), row(3, "a"), row(4, "b")])
    free = {"a": 1, "b": 0}
    assert [taken.id for taken in (buffer.take(free.__getitem__), buffer.take(free.__getitem__)) if taken] == [1, 3]
    assert buffer.take(free.__getitem__) is None
    assert buffer.hosts() == ["b"]
    free["b"] = 2
    taken = buffer.take(free.__getitem__)
    assert taken is not None
    assert taken.id == 2


def test_clear_says_what_was_left() -> None:
    """Clearing gives the ids back, and the buffer is empty."""
    buffer = OutBuffer()
    buffer.add([row(1, "a"), row(2, "b")])
    assert len(buffer) == 2
    assert sorted(buffer.clear()) == [1, 2]
    assert len(buffer) == 0
