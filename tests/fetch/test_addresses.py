from __future__ import annotations

import asyncio
import socket

import pytest

from picspider.errors import Failed
from picspider.fetch.addresses import AddressPolicy, is_public
from picspider.fetch.client.resolver import Resolver


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.255.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "255.255.255.255", "224.0.0.1", "192.0.2.1", "198.18.0.1", "240.0.0.1",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1",
        "::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b::a00:1", "nonsense",
    ],
)  # fmt: skip
def test_not_public(address: str) -> None:
    """Special-purpose addresses are not public, however they are wrapped."""
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101"])
def test_public(address: str) -> None:
    """Ordinary hosts are."""
    assert is_public(address)


def test_policy() -> None:
    """The entry's name and what it resolves to are allowed, on every port, and nothing else that is private."""
    policy = AddressPolicy(["localhost"])
    assert policy.admit("localhost", ["127.0.0.1"]) == ["127.0.0.1"]
    assert policy.admit("127.0.0.1", ["127.0.0.1"]) == ["127.0.0.1"]
    assert policy.admit("mixed", ["10.0.0.1", "1.1.1.1"]) == ["1.1.1.1"]
    for host, found in (("10.0.0.1", "10.0.0.1"), ("evil", "192.168.0.1"), ("x", "::1")):
        with pytest.raises(Failed) as info:
            policy.admit(host, [found])
        assert info.value.reason == "forbidden-address"


def test_resolver_judges_what_a_name_resolves_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A public name with a private address is refused; a name server that changes its mind is not followed."""
    answers = [["1.1.1.1"], ["127.0.0.1"]]

    def lookup(host: str, port: int, *args: object, **kwargs: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in answers[0]]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)

    async def main() -> None:
        resolver = Resolver(AddressPolicy())
        assert [info[4][0] for info in await resolver.resolve("rebind.example", 80)] == ["1.1.1.1"]
        answers.pop(0)
        assert [info[4][0] for info in await resolver.resolve("rebind.example", 80)] == ["1.1.1.1"]
        with pytest.raises(Failed) as info:
            await resolver.resolve("other.example", 80)
        assert info.value.reason == "forbidden-address"

    asyncio.run(main())
