"""Path segments of several URLs in common columns, with gaps where a URL lacks a segment."""

from picspider.learn.tokens import tokens

Cells = list[str | None]


def align_segments(paths: list[tuple[str, ...]]) -> list[Cells]:
    """One row per path, all of one length; longest paths are aligned first, the rest follow them."""
    order = sorted(range(len(paths)), key=lambda i: (-len(paths[i]), i))
    grid: dict[int, Cells] = {order[0]: list(paths[order[0]])}
    for index in order[1:]:
        columns = [tuple(cell for cell in column if cell is not None) for column in zip(*grid.values(), strict=True)]
        grid[index] = _place(columns, paths[index])
    return [grid[index] for index in range(len(paths))]


def _likeness(column: tuple[str, ...], segment: str) -> float:
    if segment in column:
        return 3.0
    kind = _kind(segment)
    return 1.0 if any(_kind(other) == kind for other in column) else 0.2


def _kind(segment: str) -> tuple[bool, bool, bool]:
    parts = tokens(segment)
    return all(part.isdigit() for part in parts), len(parts) > 3, "." in parts


def _place(columns: list[tuple[str, ...]], path: tuple[str, ...]) -> Cells:
    """The best placement of a path that is not longer than the columns (dynamic programming)."""
    gaps_left = len(columns) - len(path)
    best: dict[tuple[int, int], tuple[float, Cells]] = {(0, 0): (0.0, [])}
    for i, column in enumerate(columns):
        for gaps in range(min(i, gaps_left) + 1):
            if (i, gaps) not in best:
                continue
            score, cells = best[i, gaps]
            if i - gaps < len(path):
                segment = path[i - gaps]
                _keep(best, (i + 1, gaps), score + _likeness(column, segment), [*cells, segment])
            if gaps < gaps_left:
                _keep(best, (i + 1, gaps + 1), score, [*cells, None])
    return best[len(columns), gaps_left][1]


def _keep(best: dict[tuple[int, int], tuple[float, Cells]], key: tuple[int, int], score: float, cells: Cells) -> None:
    if key not in best or score > best[key][0]:
        best[key] = (score, cells)
