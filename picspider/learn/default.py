"""The default learner: URL parts in columns, a lattice of candidates per column, negatives decide."""

from collections.abc import Sequence

from picspider.learn.choose import choose
from picspider.learn.layout import Layout, lay_out
from picspider.learn.pattern import Pattern, alternatives
from picspider.learn.prices import PRICES
from picspider.learn.url_parts import split_url


def learn_default(positives: Sequence[str], negatives: Sequence[str] = ()) -> str:
    examples = [split_url(url) for url in dict.fromkeys(positives)]
    parts = [example for example in examples if example is not None]
    if len(parts) < len(examples) or not parts:
        return "^" + alternatives(sorted(set(positives)) or [""]) + "$"
    layout = lay_out(parts)
    others = [split_url(url) for url in dict.fromkeys(negatives) if url not in positives]
    rows = [row for other in others if other is not None for row in layout.rows(other)]
    scale = PRICES["scale_some"] if negatives else PRICES["scale_none"]
    return render(layout, choose(layout, rows, scale)[0].patterns)


def render(layout: Layout, patterns: Sequence[Pattern]) -> str:
    pairs = zip(layout.columns, patterns, strict=True)
    return "^https?://" + "".join(c.before + p.regex + c.after for c, p in pairs) + "$"
