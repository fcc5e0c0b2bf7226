"""The graph of a claim's pages: as a text tree, or as SVG."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from feverfew.render import svg
from feverfew.render.wording import clean, step
from feverfew.text import display_title
from feverfew.types import Hop, Report, Shape

_INDENT, _ROW, _BOX = 26.0, 54.0, 42.0
_WIDE = 330.0
_EDGE = 14.0
_LETTERS = 40
_SAID = {
    Shape.SINGLE: "one page",
    Shape.CHAIN: "a chain",
    Shape.STAR: "a star",
    Shape.TREE: "a tree",
    Shape.COMPARISON: "a comparison",
}


class Node(Struct, frozen=True):
    """A node of the drawing, below the page that led to it."""

    name: str
    said: str
    """How it was reached."""
    depth: int
    parent: int | None
    last: bool
    """Whether it is the last child of its parent."""
    missing: bool = False


def heading(report: Report) -> str:
    """Name the shape: 'How the pages were found: a chain of 3 pages'."""
    if report.reasoning is None:
        return "How the pages were found"
    shape, count = report.reasoning.shape, len(report.reasoning.pages)
    pages = f" of {count} pages" if count > 1 else ""
    return f"How the pages were found: {_SAID[shape]}{pages}"


def nodes(report: Report) -> list[Node]:
    """List the pages in tree order; at the end, the part for which no page was found."""
    led: dict[str, list[Hop]] = {}
    for hop in report.chain:
        led.setdefault(hop.by.page, []).append(hop)
    reached = {hop.page for hop in report.chain}
    known = report.reasoning.pages if report.reasoning else ()
    roots = dict.fromkeys(page for page in (*led, *known) if page not in reached)
    found: list[Node] = []
    for page in roots:
        found.append(Node(clean(display_title(page)), "from the claim itself", 0, None, True))
        _below(led, page, found, {page})
    if found and report.missing:
        found.append(Node("?", f"nothing found: {clean(report.missing)}", 0, None, True, True))
    return found


def _below(led: dict[str, list[Hop]], page: str, found: list[Node], seen: set[str]) -> None:
    """Add the descendants of a page; cycles are cut."""
    parent = len(found) - 1
    hops = [hop for hop in led.get(page, ()) if hop.page not in seen]
    for place, hop in enumerate(hops):
        seen.add(hop.page)
        name = clean(display_title(hop.page))
        last = place == len(hops) - 1
        found.append(Node(name, step(hop), found[parent].depth + 1, parent, last))
        _below(led, hop.page, found, seen)


def tree_lines(report: Report, ascii_only: bool = False) -> Iterator[str]:
    """Draw the tree as text, then the further connections."""
    tee, end, bar = ("|- ", "`- ", "|  ") if ascii_only else ("├─ ", "└─ ", "│  ")
    open_at: list[bool] = []
    for node in nodes(report):
        del open_at[max(0, node.depth - 1) :]
        before = "".join(bar if still else "   " for still in open_at)
        mark = "" if node.depth == 0 else end if node.last else tee
        open_at.extend([not node.last] if node.depth else [])
        yield f"{before}{mark}{node.name}: {node.said}"
    for said in _joined(report.reasoning.joins if report.reasoning else ()):
        yield f"{'<->' if ascii_only else '↔'} {said}"


def graph_svg(report: Report) -> str:
    """Draw the graph as SVG; "" if there is nothing to draw."""
    drawn = nodes(report)
    if len(drawn) < 2:
        return ""
    deepest = max(node.depth for node in drawn)
    joins = report.reasoning.joins if report.reasoning else ()
    width = 2 + deepest * _INDENT + _WIDE + (_EDGE + 8 * len(joins) if joins else 0)
    body = [*_lines(drawn), *_boxes(drawn), *_arcs(drawn, joins, deepest)]
    said = [*(f"{node.name}: {node.said}" for node in drawn), *_joined(joins)]
    return svg.document(heading(report), "; ".join(said), width, len(drawn) * _ROW, body)


def _joined(joins: Sequence[Hop]) -> Iterator[str]:
    for hop in joins:
        yield f"{clean(display_title(hop.page))}: also {step(hop)}"


def _lines(drawn: Sequence[Node]) -> Iterator[str]:
    for row, node in enumerate(drawn):
        if node.parent is None:
            continue
        left, middle = 1 + (node.depth - 1) * _INDENT + _INDENT / 2, row * _ROW + _BOX / 2
        top = node.parent * _ROW + _BOX
        yield svg.line(left, top, left, middle, svg.MUTED, width=1.5)
        yield svg.line(left, middle, 1 + node.depth * _INDENT, middle, svg.MUTED, width=1.5)


def _boxes(drawn: Sequence[Node]) -> Iterator[str]:
    for row, node in enumerate(drawn):
        left, top = 1 + node.depth * _INDENT, 1 + row * _ROW
        dash = ";stroke-dasharray:5 4" if node.missing else ""
        style = f"fill:none;stroke:{svg.MUTED};stroke-width:1{dash}"
        yield svg.rectangle(left, top, _WIDE, _BOX, style, tooltip=f"{node.name}: {node.said}")
        yield svg.text(left + 10, top + 17, svg.shorten(node.name, _LETTERS), size=13, bold=True)
        said = svg.shorten(node.said, _LETTERS + 8)
        yield svg.text(left + 10, top + 34, said, colour=svg.MUTED, size=12)


def _arcs(drawn: Sequence[Node], joins: Sequence[Hop], deepest: int) -> Iterator[str]:
    """Draw further connections as dashed lines on the right."""
    rows = {node.name: row for row, node in enumerate(drawn)}
    right = 1 + deepest * _INDENT + _WIDE
    for place, hop in enumerate(joins):
        ends = [rows.get(clean(display_title(page))) for page in (hop.by.page, hop.page)]
        if None in ends:
            continue
        out = right + _EDGE + 8 * place
        heights = [row * _ROW + _BOX / 2 for row in ends if row is not None]
        for row, height in zip((r for r in ends if r is not None), heights, strict=True):
            edge = 1 + drawn[row].depth * _INDENT + _WIDE
            yield svg.line(edge, height, out, height, svg.ACCENT, dash="4 3")
        yield svg.line(out, heights[0], out, heights[1], svg.ACCENT, dash="4 3")
