"""Candidate expressions for the host."""

from collections.abc import Iterator

from picspider.learn.pattern import Pattern, alternatives, escape
from picspider.learn.prices import PRICES


def host_candidates(hosts: tuple[str, ...]) -> list[Pattern]:
    """The host itself, www or not, one of those seen, any subdomain, any host."""
    return list(_candidates(hosts))


def _candidates(hosts: tuple[str, ...]) -> Iterator[Pattern]:
    names = sorted(set(hosts))
    if len(names) == 1:
        yield Pattern(escape(names[0]), 0.1 / len(hosts), 0.0, f"the host {names[0]}")
        return
    bare = {name.removeprefix("www.") for name in names}
    if len(bare) == 1:
        yield Pattern(r"(?:www\.)?" + escape(bare.pop()), 0.1, 0.0, "the host with or without www")
    yield Pattern(alternatives(names), PRICES["listed_host"] / (1 + len(hosts) - len(names)), 0.0, "one of the hosts seen")
    suffix = _common_domain(names)
    if suffix:
        if all(name.endswith("." + suffix) and "." not in name.removesuffix("." + suffix) for name in names):
            yield Pattern(r"[\w-]+\." + escape(suffix), PRICES["subdomain"] / len(names), 0.2, f"a subdomain of {suffix}")
        some = r"(?:[\w-]+\.)*"
        yield Pattern(some + escape(suffix), 0.0, PRICES["subdomains"], f"{suffix} and its subdomains")
    yield Pattern(r"[^/?#]+", 0.0, 3.0, "any host")


def _common_domain(names: list[str]) -> str:
    """The common last labels, at least two of them."""
    common: list[str] = []
    for labels in zip(*(reversed(name.split(".")) for name in names), strict=False):
        if len(set(labels)) > 1:
            break
        common.append(labels[0])
    return ".".join(reversed(common)) if len(common) >= 2 else ""
