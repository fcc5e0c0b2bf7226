"""Reports and pages as text: wrapped and coloured on a terminal, plain lines in a pipe."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from feverfew.render.chain_graph import heading as chain_heading
from feverfew.render.chain_graph import tree_lines
from feverfew.render.excerpts import apart, excerpt_lines
from feverfew.render.svg import shorten
from feverfew.render.wording import (
    FACES,
    NEAREST,
    Piece,
    clean,
    explanation,
    groups,
    highlights,
    judged,
    leaning,
    located,
    percent,
    read_as,
    reasons,
    share,
    where,
)
from feverfew.text import display_title
from feverfew.types import Cell, ItemList, Page, Report, Section, Sentence, Table, Verdict

if TYPE_CHECKING:
    from feverfew.check.documents import Passage

_STYLES = {
    Verdict.SUPPORTED: "green",
    Verdict.REFUTED: "red",
    Verdict.NOT_ENOUGH_INFO: "yellow",
}
_LONGEST = 400
"""Maximum characters of a claim or a piece of evidence; HTML and JSON have everything."""
_STEP = 2
_QUOTES = str.maketrans("“”", '""')


class _Line(Struct, frozen=True):
    """A line before wrapping."""

    text: Text
    indent: int = 0
    mark: str = ""
    """A prefix; wrapped lines are indented by its width."""


def print_report(report: Report, console: Console, *, heading: str = "") -> None:
    """Print a report; `heading`, such as the original sentence, replaces the claim."""
    for line in _report(report, heading or report.claim, console.options.ascii_only):
        _print(line, console)


def print_skipped(skipped: Sequence["Passage"], console: Console) -> None:
    """List the skipped sentences of a document with their reasons."""
    console.print(Text("Skipped", style="bold"))
    for passage in skipped:
        text = Text(shorten(clean(passage.text), 60), style="dim")
        text.append(f" ({passage.skipped})")
        _print(_Line(text, _STEP), console)


def _print(line: _Line, console: Console) -> None:
    first = " " * line.indent + line.mark
    if not console.is_terminal:
        console.print(Text(first) + line.text, soft_wrap=True)
        return
    hang = " " * len(first)
    width = max(console.width - len(first), 8)
    for place, row in enumerate(line.text.wrap(console, width)):
        row.rstrip()
        console.print(Text(hang if place else first) + row, soft_wrap=True)


def _report(report: Report, heading: str, ascii_only: bool, depth: int = 0) -> Iterator[_Line]:
    indent = 2 * _STEP * depth
    shown = shorten(clean(heading), _LONGEST) or "(nothing)"
    conflicts = located(shown, report.claim, report.marks)
    yield _Line(_styled(highlights(shown, conflicts=conflicts), "bold"), indent)
    if read := read_as(report, heading):
        yield _Line(Text(read.translate(_QUOTES) if ascii_only else read, style="dim"), indent)
    yield _verdict(report, indent, ascii_only)
    if said := explanation(report):
        yield _Line(Text(said), indent + _STEP)
    grouped = groups(report, NEAREST if depth == 0 else 1)
    _, drawn = apart(report, [piece for group in grouped for piece in group.pieces])
    for group in grouped:
        if group.heading:
            yield _Line(Text(f"{group.heading}:", style="italic"), indent + _STEP)
        for piece in apart(report, group.pieces)[0]:
            yield from _piece(piece, report.claim, ascii_only, indent + _STEP)
    for excerpt, cells in drawn.items():
        face = FACES[report.verdict]
        mark = f"{face.ascii_mark if ascii_only else face.mark} "
        for place, line in enumerate(excerpt_lines(excerpt, ascii_only, cells)):
            yield _Line(line, indent + _STEP, mark if place == 0 else "  ")
    for reason in reasons(report):
        yield _Line(Text(reason), indent + _STEP, "* " if ascii_only else "• ")
    if report.chain or report.reasoning:
        yield _Line(Text(f"{chain_heading(report)}:", style="italic"), indent + _STEP)
        for branch in tree_lines(report, ascii_only):
            yield _Line(Text(branch), indent + _STEP)
    for part in report.parts:
        yield from _report(part, part.claim, ascii_only, depth + 1)


def _styled(stretches: Iterable[tuple[str, str]], style: str = "") -> Text:
    """Print the claim's words in bold, and contradictions in red."""
    styles = {"": "", "match": "bold", "conflict": "bold red"}
    return Text.assemble(*((text, styles[kind]) for text, kind in stretches), style=style)


def _verdict(report: Report, indent: int, ascii_only: bool) -> _Line:
    others = [
        f"{face.word} {percent(share(report, verdict))}"
        for verdict, face in FACES.items()
        if verdict is not report.verdict
    ]
    face, style = FACES[report.verdict], f"bold {_STYLES[report.verdict]}"
    text = Text.assemble((report.verdict, style))
    if judged(report):
        text.append(f"  {percent(share(report, report.verdict))}", style)
        text.append(f"  {', '.join(others)}", "dim")
    if report.leaning:
        text.append(f"  {leaning(report)}", _STYLES[report.leaning])
    symbol = face.ascii_mark if ascii_only and not face.symbol.isascii() else face.symbol
    return _Line(text, indent, f"{symbol} ")


def _piece(piece: Piece, claim: str, ascii_only: bool, indent: int) -> Iterator[_Line]:
    face = FACES[piece.says or Verdict.NOT_ENOUGH_INFO]
    place = where(piece.evidence)
    head = Text.assemble((place.replace("›", ">") if ascii_only else place, "underline"))
    if piece.notes:
        head.append(f"  {', '.join(piece.notes)}", _STYLES[piece.says] if piece.says else None)
    yield _Line(head, indent, f"{face.ascii_mark if ascii_only else face.mark} ")
    shown = shorten(piece.text, _LONGEST)
    body = _styled(
        highlights(shown, claim, [span for span in piece.conflicts if span[1] < len(shown)])
    )
    body.append(f"  {clean(str(piece.evidence.ref))}", "dim")
    yield _Line(body, indent + _STEP)


def print_page(page: Page, console: Console) -> None:
    """Print a page in reading order."""
    console.print(Text(display_title(page.title), style="bold"))
    if page.aliases:
        console.print(Text("also: " + ", ".join(page.aliases), style="dim"))
    if page.disambiguation:
        console.print(Text("a disambiguation page", style="dim"))
    for block in page.blocks:
        match block:
            case Section():
                console.print()
                console.print(Text("  " * (block.level - 1) + block.text, style="bold underline"))
            case Sentence():
                console.print(Text.assemble((f"{block.index:>4}  ", "dim"), block.text))
            case Table():
                console.print(Padding(_grid(block), (1, 0, 1, 6)))
            case ItemList():
                for item in block.items:
                    indent = " " * 6 + "  " * item.level + "• "
                    number = (f"  item {block.index}_{item.index}", "dim")
                    console.print(Text.assemble(indent, item.text, number))


def _grid(table: Table) -> Grid:
    kind = "infobox" if table.infobox else "table"
    title = f"{kind} {table.index}" + (f": {table.caption}" if table.caption else "")
    grid = Grid(title=title, title_justify="left", show_header=False, show_lines=True)
    width = max((c.column + c.column_span for row in table.rows for c in row), default=0)
    for _ in range(width):
        grid.add_column(overflow="fold")
    for row in table.rows:
        # A cell that spans several columns or rows is printed once, where it begins.
        line = [Text("")] * width
        for cell in row:
            line[cell.column] = _cell(cell)
        grid.add_row(*line)
    return grid


def _cell(cell: Cell) -> Text:
    return Text(cell.text, style="bold" if cell.header else "")
