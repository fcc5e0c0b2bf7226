"""Read wikitext tables and infoboxes, their templates and links already resolved."""

import re
from collections.abc import Sequence

from msgspec import Struct

from feverfew.readers.blocks import Run, TableCell
from feverfew.readers.mediawiki.runs import BOX, BOX_END, LINK, listed_runs, plain, tidy
from feverfew.readers.mediawiki.templates import Arguments
from feverfew.types import Link


class WikiTable(Struct, frozen=True):
    """A table's rows and caption; one without rows was only there for the layout."""

    rows: tuple[tuple[TableCell, ...], ...]
    caption: str = ""


class _Draft(Struct):
    """A cell while its lines come in."""

    header: bool
    attributes: str
    lines: list[str]


def starts_table(line: str) -> bool:
    """Say whether a line opens a table; it may be indented."""
    return line.lstrip(" \t:").startswith("{|")


def read_table(lines: Sequence[str], targets: Sequence[str]) -> list[WikiTable]:
    """Read a table from its lines, `{|` and `|}` included; nested ones follow it."""
    # Each open table: its rows so far, and the lines of its caption.
    open_tables: list[tuple[list[list[_Draft]], list[str]]] = []
    closed: list[tuple[int, WikiTable]] = []
    number = 0
    order: list[int] = []
    for raw in lines:
        line = raw.strip()
        if starts_table(raw):
            open_tables.append(([[]], []))
            order.append(number)
            number += 1
            continue
        if not open_tables:
            break
        rows, caption = open_tables[-1]
        if line.startswith("|}"):
            closed.append((order.pop(), _finish(*open_tables.pop(), targets)))
        elif line.startswith("|-"):
            rows.append([])
        elif line.startswith("|+"):
            caption.append(line[2:])
        elif line.startswith(("|", "!")):
            rows[-1].extend(_cells(line))
        elif rows[-1]:
            rows[-1][-1].lines.append(raw)
        elif caption and len(rows) == 1:
            caption.append(line)
    while open_tables:
        closed.append((order.pop(), _finish(*open_tables.pop(), targets)))
    return [table for _, table in sorted(closed, key=lambda pair: pair[0])]


def _cells(line: str) -> list[_Draft]:
    """Split a line that begins with `|` or `!` into its cells."""
    header = line[0] == "!"
    line = line[1:]
    if header:
        line = line.replace("!!", "||")
    made: list[_Draft] = []
    for part in line.split("||"):
        attributes, bar, text = part.partition("|")
        # What stands before a bar are attributes, unless it holds a link or a tag.
        if bar and LINK not in attributes and "<" not in attributes:
            made.append(_Draft(header, attributes, [text]))
        else:
            # A template such as {{N/A}} brings its own bar: `colspan=2 {{N/A}}`.
            found = _ATTRIBUTES.match(part)
            end = found.end() if found else 0
            made.append(_Draft(header, part[:end], [part[end:].replace("|", " ")]))
    return made


_ATTRIBUTES = re.compile(
    r"\s*(?:(?:colspan|rowspan|style|class|align|valign|bgcolor|width|scope|data-sort-value)"
    r"\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"']++)\s*+)+",
    re.IGNORECASE,
)
_SPAN = {
    side: re.compile(rf"{side}span\s*+=\s*+[\"']?\s*+([0-9]{{1,6}})", re.IGNORECASE)
    for side in ("row", "col")
}


def _span(side: str, attributes: str) -> int:
    found = _SPAN[side].search(attributes) if "span" in attributes.lower() else None
    return int(found[1]) if found else 1


def _finish(rows: list[list[_Draft]], caption: list[str], targets: Sequence[str]) -> WikiTable:
    return WikiTable(
        tuple(tuple(_cell(draft, targets) for draft in row) for row in rows if row),
        plain(_without_attributes(" ".join(caption))),
    )


def _cell(draft: _Draft, targets: Sequence[str]) -> TableCell:
    text = "\n".join(draft.lines)
    return TableCell(
        listed_runs(text, targets, " " if draft.header else ", "),
        draft.header,
        _span("row", draft.attributes),
        _span("col", draft.attributes),
    )


def _without_attributes(caption: str) -> str:
    before, bar, after = caption.partition("|")
    return after if bar and "=" in before else caption.replace("|", " ")


_TITLES = ("name", "title", "conventional_long_name", "official_name", "fullname", "common_name")
# Pictures, maps, colours and switches: of use to the page's layout only.
_LAYOUT_WORDS = frozenset(
    """align alt arms autolink autolinks background bgcolor bg border caption change child coat
    color colour collapsible coor coordinates coords dateformat df display dmy dot embed emblem flag
    footnote footnotes footer image imagealt imagecaption images imagesize img italic lang lat latd
    latdeg latitude latm latmin latns lats latsec link logo logosize long longd longdeg longew
    longitude longm longmin longs longsec map mapcaption mapframe mapsize mf module nocat photo
    picture pushpin ref refs relief seal shield signature sigsize skyline style thumb upright width
    zoom""".split()  # noqa: SIM905 - as a list it would fill a screen
)
_WORD_ENDS = re.compile(r"[^a-z]+")


def _for_layout(key: str) -> bool:
    return not _LAYOUT_WORDS.isdisjoint(_WORD_ENDS.split(key.lower()))


_FILE = re.compile(
    r"[^\n]*\.(?:jpe?g|png|svg|gif|tiff?|ogg|ogv|oga|webm|pdf|djvu)\s*", re.IGNORECASE
)
_LABEL = re.compile(r"(.*?)_?(title|type|event|label|header|name)_?([0-9]*)(_sec[0-9])?")
_ROLES = ("data", "name", "date", "info", "value", "event")
_BOX = re.compile(f"{BOX}([0-9]+){BOX_END}")


def infobox_rows(
    number: int, boxes: Sequence[Arguments], targets: Sequence[str]
) -> list[list[TableCell]]:
    """Lay an infobox out: its name across two columns, then a row of label and value each.

    An infobox within another adds its rows to it.
    """
    rows: list[list[TableCell]] = []
    waiting = [number]
    # An infobox mentions only those resolved before it, so this ends.
    while waiting:
        named = boxes[waiting.pop(0)].named
        box = {key.lower(): tidy(value) for key, value in named.items()}
        for value in box.values():
            waiting.extend(int(inner) for inner in _BOX.findall(value))
        title = next((box[key] for key in _TITLES if box.get(key)), "")
        if name := listed_runs(title, targets, " "):
            rows.append([TableCell(name, header=True, column_span=2)])
        rows.extend(_facts(box, targets))
    return [row for row in rows if any(_text(cell.runs) for cell in row)]


def _facts(box: dict[str, str], targets: Sequence[str]) -> list[list[TableCell]]:
    """Return a row for each fact, in the order written."""
    labels: dict[str, str] = {}
    titled = next((key for key in _TITLES if box.get(key)), "")
    used = {titled}
    for key, value in box.items():
        # {{Infobox|label1=Born|data1=1890}}, leader_title and leader_name, and such pairs.
        if value and (match := _LABEL.fullmatch(key)):
            stem, role, count, section = match[1], match[2], match[3], match[4] or ""
            for other in ("info",) if role == "name" else _ROLES:
                pair = next(
                    (
                        name
                        for name in (
                            f"{stem}_{other}{count}{section}",
                            f"{stem}_{other}_{count}{section}",
                            f"{stem}{other}{count}{section}",
                        )
                        if name != key and box.get(name)
                    ),
                    "",
                )
                if pair and other != role and pair not in used and key not in labels:
                    labels[pair] = plain(value)
                    used.add(key)
    rows: list[list[TableCell]] = []
    for key, value in box.items():
        if key in used or not value or _for_layout(key) or _FILE.fullmatch(value):
            continue
        runs = listed_runs(value, targets)
        if not _text(runs):
            continue
        if re.fullmatch(r"header[0-9]+", key):
            rows.append([TableCell(runs, header=True, column_span=2)])
        else:
            label = labels.get(key) or _spoken(key)
            rows.append([TableCell([label], header=True), TableCell(runs)])
    return rows


def _spoken(key: str) -> str:
    """Turn a parameter into a label: `birth_date` → `Birth date`."""
    key = re.sub(r"(?<=[_ ][kcm]m)2$|(?<=_m)2$", "²", key)
    words = " ".join(re.sub(r"[0-9]+$", "", key).replace("_", " ").split()) or key
    return words[:1].upper() + words[1:]


def _text(runs: Sequence[Run]) -> str:
    return "".join(run.text if isinstance(run, Link) else run for run in runs).strip()
