"""One self-contained page: headings, words, tables and plots; light, dark and printable."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from msgspec import Struct

from feverfew.render.svg import escape


class Words(Struct, frozen=True):
    """A paragraph of plain text."""

    text: str


class DataTable(Struct, frozen=True):
    """A table of values; numbers are set to the right, floats with three decimals."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    caption: str = ""


class Figure(Struct, frozen=True):
    """A picture from `plots`: the only part that is not escaped."""

    svg: str
    caption: str = ""


Part = Words | DataTable | Figure


class Section(Struct, frozen=True):
    """A heading and the parts under it."""

    heading: str
    parts: tuple[Part, ...]


def html_page(title: str, sections: Sequence[Section], *, subtitle: str = "") -> str:
    """Write a page that needs no other file, no network and no script.

    >>> html_page("Scores", [Section("All", (Words("1,000 claims"),))])[:15]
    '<!doctype html>'
    """
    body = "\n".join(_section(place, s) for place, s in enumerate(sections))
    contents = "".join(
        f'<li><a href="#s{place}">{escape(s.heading)}</a></li>' for place, s in enumerate(sections)
    )
    nav = f'<nav aria-label="Contents"><ol>{contents}</ol></nav>' if len(sections) > 2 else ""
    return html_frame(title, f"{nav}\n<main>\n{body}\n</main>", subtitle=subtitle)


def html_frame(title: str, body: str, *, subtitle: str = "", style: str = "") -> str:
    """Wrap a body (HTML) in a page with a header and a footer."""
    under = f'<p class="subtitle">{escape(subtitle)}</p>' if subtitle else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{css("page.css")}{style}</style>
</head>
<body>
<header><h1>{escape(title)}</h1>{under}</header>
{body}
<footer>Made with feverfew {escape(version("feverfew"))}</footer>
</body>
</html>
"""


def _section(place: int, section: Section) -> str:
    parts = "\n".join(_part(part) for part in section.parts)
    return f'<section id="s{place}">\n<h2>{escape(section.heading)}</h2>\n{parts}\n</section>'


def _part(part: Part) -> str:
    match part:
        case Words():
            return f"<p>{escape(part.text)}</p>"
        case Figure():
            caption = f"<figcaption>{escape(part.caption)}</figcaption>" if part.caption else ""
            return f"<figure>{part.svg}{caption}</figure>"
        case DataTable():
            return _table(part)


def _table(table: DataTable) -> str:
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    head = "".join(
        f'<th scope="col"{_numeric(table, place)}>{escape(name)}</th>'
        for place, name in enumerate(table.columns)
    )
    rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="Table"><table>{caption}'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _numeric(table: DataTable, place: int) -> str:
    """Align a heading right if its column has only numbers."""
    values = [row[place] for row in table.rows]
    plain = all(
        v is None or (isinstance(v, int | float) and not isinstance(v, bool)) for v in values
    )
    return ' class="n"' if plain and values else ""


def _cell(value: object) -> str:
    number = value is None or (isinstance(value, int | float) and not isinstance(value, bool))
    kind = ' class="n"' if number else ""
    return f"<td{kind}>{escape(cell_text(value))}</td>"


def cell_text(value: object) -> str:
    """Format a table value: floats with three decimals, – for None."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.3f}"
    return str(value)


@cache
def css(name: str) -> str:
    """Read a style sheet to inline."""
    return files("feverfew.render").joinpath(name).read_text("utf-8")
