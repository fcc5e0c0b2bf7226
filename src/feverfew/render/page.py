"""One self-contained page: headings, words, tables and plots; light, dark and printable."""

from collections.abc import Sequence
from importlib.metadata import version

from msgspec import Struct

from feverfew.render.svg import escape

__all__ = [
    "DARK",
    "LIGHT",
    "DataTable",
    "Figure",
    "Part",
    "Section",
    "Words",
    "html_frame",
    "html_page",
    "themed",
]


class Words(Struct, frozen=True):
    """A paragraph of plain text."""

    text: str


class DataTable(Struct, frozen=True):
    """A table of values; numbers are set to the right, floats with three decimals."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    caption: str = ""


class Figure(Struct, frozen=True):
    """A picture from `plots`: the only part whose text goes into the page as it is."""

    svg: str
    caption: str = ""


Part = Words | DataTable | Figure


class Section(Struct, frozen=True):
    """A heading and what stands under it."""

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
    """Put a body, which is HTML already, between a heading and a footer."""
    under = f'<p class="subtitle">{escape(subtitle)}</p>' if subtitle else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{_STYLE}{style}</style>
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
    """Set a heading above its numbers, where a column holds nothing else."""
    values = [row[place] for row in table.rows]
    plain = all(
        v is None or (isinstance(v, int | float) and not isinstance(v, bool)) for v in values
    )
    return ' class="n"' if plain and values else ""


def _cell(value: object) -> str:
    match value:
        case None:
            return '<td class="n">–</td>'
        case bool():
            return f"<td>{'yes' if value else 'no'}</td>"
        case int():
            return f'<td class="n">{value:,}</td>'
        case float():
            return f'<td class="n">{value:.3f}</td>'
    return f"<td>{escape(value)}</td>"


LIGHT = """--paper:#fff;--ink:#1d2733;--muted:#5b6776;--grid:#d9dee5;--band:#f5f7fa;
--series-0:#2a6db0;--series-1:#c25e12;--series-2:#2b8a5f;--series-3:#8157a6;--series-4:#a8323e;
--series-5:#5d6b1f"""
DARK = """--paper:#14191f;--ink:#e4e9ef;--muted:#9aa7b5;--grid:#333d48;--band:#1c232b;
--series-0:#6aa9e9;--series-1:#f0954c;--series-2:#5fc496;--series-3:#b794d9;--series-4:#ec7d88;
--series-5:#b5c568"""


def themed(selector: str, light: str, dark: str) -> str:
    """Give what a selector finds its colours, on light screens and paper and on dark screens."""
    return (
        f"{selector}{{{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{{selector}{{{dark}}}}}\n"
    )


_STYLE = (
    "\n"
    + themed(":root", LIGHT, DARK)
    + """*{box-sizing:border-box}
body{margin:0 auto;max-width:52rem;padding:2.5rem 1.25rem;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.9rem;line-height:1.2;margin:0}
h2{font-size:1.25rem;margin:2.5rem 0 .75rem;padding-bottom:.3rem;
border-bottom:1px solid var(--grid)}
p{max-width:44rem;margin:.6rem 0}
a{color:var(--series-0)}
.subtitle,footer,figcaption,caption{color:var(--muted);font-size:.9rem}
nav ol{margin:1.25rem 0 0;padding:.75rem 1rem .75rem 2.25rem;background:var(--band);
border-radius:.4rem;columns:2;font-size:.95rem}
figure{margin:1.25rem 0}
svg{max-width:100%;height:auto;font-variant-numeric:tabular-nums}
figcaption{margin-top:.35rem}
.wide{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums;min-width:50%}
caption{text-align:left;padding-bottom:.4rem}
th,td{padding:.32rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
th{font-weight:600;border-bottom:2px solid var(--muted);white-space:nowrap}
td.n,th.n{text-align:right;white-space:nowrap}
tbody tr:nth-child(even){background:var(--band)}
footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid var(--grid)}
@media print{body{max-width:none;padding:0;font-size:10.5pt}nav{display:none}
figure,tr{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""
)
