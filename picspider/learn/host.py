"""Candidate expressions for the host."""

from collections.abc import Iterator

from picspider.learn.pattern import Pattern, alternatives, escape
from picspider.learn.prices import doubt_after


def host_candidates(hosts: tuple[str, ...]) -> Iterator[Pattern]:
    """The host itself, www or not, one of those seen, any subdomain, any host."""
    names = sorted(set(hosts))
    if len(names) == 1:
        short = names[0].removeprefix("www.")
        yield Pattern(escape(names[0]), words=f"the host {names[0]}")
        if short != names[0]:
            words = f"the host {short} with or without www"
            yield Pattern(r"(?:www\.)?" + escape(short), (), (("www or none", 1.0),), words)
        return
    bare = {name.removeprefix("www.") for name in names}
    if len(bare) == 1:
        yield Pattern(r"(?:www\.)?" + escape(bare.pop()), words="the host with or without www")
    yield Pattern(
        alternatives(names), (("listed hosts", 1.0 / (1 + len(hosts) - len(names))),), words="one of the hosts seen"
    )
    suffix = _common_domain(names)
    if suffix:
        if all(name.endswith("." + suffix) and "." not in name.removesuffix("." + suffix) for name in names):
            yield Pattern(
                r"[\w-]+\." + escape(suffix),
                (("subdomain", doubt_after(len(names))),),
                (("subdomain", 1.0),),
                f"a subdomain of {suffix}",
            )
        yield Pattern(r"(?:[\w-]+\.)*" + escape(suffix), (), (("subdomains", 1.0),), f"{suffix} and its subdomains")
    yield Pattern(r"[^/?#]+", (), (("any host", 1.0),), "any host")


def _common_domain(names: list[str]) -> str:
    """The common last labels, at least two of them."""
    common: list[str] = []
    for labels in zip(*(reversed(name.split(".")) for name in names), strict=False):
        if len(set(labels)) > 1:
            break
        common.append(labels[0])
    return ".".join(reversed(common)) if len(common) >= 2 else ""
