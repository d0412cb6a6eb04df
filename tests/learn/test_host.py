"""Candidates for the host."""

import re

import pytest

from picspider.learn.host import host_candidates


@pytest.mark.parametrize(
    "hosts",
    [
        ("a.example",),
        ("www.a.example", "a.example"),
        ("x.a.example", "y.a.example"),
        ("a.example", "x.y.a.example"),
        ("a.example", "b.test"),
    ],
)
def test_every_candidate_matches_every_host(hosts: tuple[str, ...]) -> None:
    """No candidate loses a host of the examples."""
    for pattern in host_candidates(hosts):
        assert all(re.fullmatch(pattern.regex, host) for host in hosts)


def test_subdomains_do_not_reach_beyond_the_domain() -> None:
    """A subdomain's expression does not take a host that merely ends alike."""
    patterns = [p for p in host_candidates(("x.a.example", "y.a.example")) if p.words == "a subdomain of a.example"]
    assert len(patterns) == 1
    assert not re.fullmatch(patterns[0].regex, "xa.example")
