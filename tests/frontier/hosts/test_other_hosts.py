"""When a look for rows beside those of blocked hosts is worth a query."""

from __future__ import annotations

import pytest

from picspider.frontier.hosts import other_hosts
from picspider.frontier.hosts.other_hosts import OtherHosts


def test_look_in_vain_is_not_repeated() -> None:
    """After it, only rows of another host, or rows that came back from anywhere, make a look worth while."""
    hosts = OtherHosts(shared=False)
    assert hosts.may_wait({"a"})
    hosts.looked({"a"}, in_vain=True)
    assert not hosts.may_wait({"a", "b"})
    assert hosts.may_wait({"b"}), "rows of the host a wait there"
    hosts.entered(["a", "a"])
    assert not hosts.may_wait({"a"})
    hosts.entered(["a", "c"])
    assert hosts.may_wait({"a"})
    hosts.looked({"a"}, in_vain=True)
    hosts.forget()
    assert hosts.may_wait({"a"})
    hosts.looked({"a"}, in_vain=False)
    assert hosts.may_wait({"a"})


@pytest.mark.parametrize("shared", [False, True])
def test_other_workers_enter_rows_too(monkeypatch: pytest.MonkeyPatch, *, shared: bool) -> None:
    """On a shared store a look in vain counts for a while only."""
    now = 100.0
    monkeypatch.setattr(other_hosts, "monotonic", lambda: now)
    hosts = OtherHosts(shared=shared)
    hosts.looked({"a"}, in_vain=True)
    assert not hosts.may_wait({"a"})
    now += other_hosts.LOOK_AGAIN_SECONDS + 1
    assert hosts.may_wait({"a"}) == shared
