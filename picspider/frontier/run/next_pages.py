"""Which page each next page continues, where several link it: not the one that happened to answer first.

A rule such as ``next_page: {url: …}`` takes all numbers of a page bar. A next page belongs where the fewest clicks lead
from the first page of a chain, and of several such places to the first in reading order. Where a layer's rule takes its
link as well, it is the first page of a chain of its own.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, func, literal, select, update

from picspider.schema import IS_PAGE, node, repeat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

_PLACE = (node.c.position, node.c.id, node.c.parent, node.c.page, node.c.chain, node.c.text)
_SEEN = (repeat.c.by == "url", repeat.c.later == 0, repeat.c.again == 0)
_LINK = (*_SEEN, repeat.c.parent != repeat.c.node)


class _Link(NamedTuple):
    """A link to the next page `row`. `repeat`: the row that notes it, 0: it is where the page stands by now."""

    position: int
    row: int
    parent: int
    page: int
    chain: int
    text: str | None
    repeat: int


def several_ways(connection: Connection, layer: int) -> bool:
    """Whether in *layer* a next page can be reached in several ways, or a page has several next pages."""
    here = (node.c.layer == layer, node.c.page > 1)
    linked = select(node.c.id).join_from(repeat, node, node.c.id == repeat.c.node)
    linked = linked.where(*_LINK, repeat.c.layer == layer, *here, repeat.c.parent != node.c.parent).limit(1)
    if connection.scalar(linked) is not None:
        return True
    beside = select(node.c.parent).where(*here, IS_PAGE).group_by(node.c.parent).having(func.count() > 1).limit(1)
    return connection.scalar(beside) is not None


def make_heads(connection: Connection, layer: int) -> set[int]:
    """Make next pages that the rule of *layer* takes as well the first pages of chains; returns which."""
    of_rule = (repeat.c.layer == layer, repeat.c.page == 1, repeat.c.parent != 0)
    again = select(repeat.c.position, node.c.id, repeat.c.parent, repeat.c.page, node.c.id, repeat.c.text, repeat.c.id)
    query = again.add_columns(*_PLACE).join_from(repeat, node, node.c.id == repeat.c.node)
    query = query.where(*_LINK, *of_rule, node.c.layer == layer, node.c.page > 1)
    found = [tuple(each) for each in connection.execute(query)]
    # One of them for each row; which of several is the first is found out as for all first pages.
    changes = {each[1]: (_Link._make(each[:7]), _Link._make((*each[7:], 0))) for each in found}
    _move(connection, list(changes.values()))
    return set(changes)


def settle_next_pages(connection: Connection, layer: int, heads: Sequence[int]) -> tuple[set[int], list[int]]:
    """Put each next page of *layer* where it belongs; *heads* are the first pages of its chains in reading order.

    Returns the rows that were moved, and all pages of the layer in reading order.
    """
    links = _links(connection, layer)
    stands = {link.row: link for of_page in links.values() for link in of_page if not link.repeat}
    pages = dict.fromkeys(heads, 1)
    chains = {head: [head] for head in heads}
    chain_of = {head: head for head in heads}
    chosen: list[_Link] = []
    queue = list(heads)
    for row in queue:  # it grows
        for link in sorted(links[row], key=lambda link: (link.position, link.row)) if row in links else ():
            if link.row not in pages:
                chain = chain_of[link.row] = chain_of[row]
                pages[link.row] = pages[row] + 1
                chains[chain].append(link.row)
                queue.append(link.row)
                chosen.append(link._replace(page=pages[link.row], chain=chain))
    changes = [(link, stands[link.row]) for link in chosen if link != stands[link.row]]
    _move(connection, changes)
    _number(connection, layer, pages)
    return {link.row for link, _ in changes}, [row for chain in chains.values() for row in chain]


def _links(connection: Connection, layer: int) -> dict[int, list[_Link]]:
    """The links to next pages of *layer*, by the page that they stand on."""
    here = (node.c.layer == layer, node.c.page > 1)
    again = select(
        repeat.c.position, node.c.id, repeat.c.parent, repeat.c.page, node.c.chain, repeat.c.text, repeat.c.id
    ).join_from(repeat, node, node.c.id == repeat.c.node)
    again = again.where(*_LINK, repeat.c.layer == layer, repeat.c.page > 1, *here)
    links: dict[int, list[_Link]] = defaultdict(list)
    for found in connection.execute(select(*_PLACE, literal(0)).where(*here, IS_PAGE)):
        links[found.parent].append(_Link(*found))
    for found in connection.execute(again):
        links[found.parent].append(_Link(*found))
    return links


def _move(connection: Connection, changes: Sequence[tuple[_Link, _Link]]) -> None:
    """Put rows where the first link of each pair stands; where they stood, the second one, becomes the repeat."""
    if not changes:
        return
    place: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("position", "parent", "page", "chain", "text")}
    rows = [
        # A repeat that an older version noted has no text: the one that is known stays.
        {"of": link.row, "new_position": link.position, "new_parent": link.parent, "new_page": link.page,
         "new_chain": link.chain, "new_text": stood.text if link.text is None else link.text}
        for link, stood in changes
    ]  # fmt: skip
    connection.execute(update(node).where(node.c.id == bindparam("of")).values(**place), rows)
    del place["chain"]
    rows = [
        {"of": link.repeat, "new_position": stood.position, "new_parent": stood.parent, "new_page": stood.page,
         "new_text": stood.text}
        for link, stood in changes if link.repeat
    ]  # fmt: skip
    if rows:
        connection.execute(update(repeat).where(repeat.c.id == bindparam("of")).values(**place), rows)


def _number(connection: Connection, layer: int, pages: Mapping[int, int]) -> None:
    """Have the links to next pages that are noted as repeats count on from the pages that they stand on."""
    query = select(repeat.c.id, repeat.c.parent, repeat.c.page)
    query = query.where(*_SEEN, repeat.c.layer == layer, repeat.c.page > 1)
    rows = [
        {"of": row, "new_page": pages[parent] + 1}
        for row, parent, page in connection.execute(query)
        if parent in pages and page != pages[parent] + 1
    ]
    if rows:
        change = update(repeat).where(repeat.c.id == bindparam("of")).values(page=bindparam("new_page"))
        connection.execute(change, rows)
