"""Reports as HTML: one for a notebook, or a page of them, readable without scripts.

Whatever comes from a claim or a page passes through `escape`: a corpus may hold anything.
"""

from collections.abc import Iterator, Sequence

from feverfew.render import svg
from feverfew.render.chain_graph import graph_svg
from feverfew.render.chain_graph import heading as chain_heading
from feverfew.render.excerpts import EXCERPT_STYLE, apart, excerpt_html
from feverfew.render.page import DARK, LIGHT, html_frame, themed
from feverfew.render.svg import escape
from feverfew.render.wording import (
    FACES,
    Piece,
    also_read,
    chain,
    clean,
    explanation,
    groups,
    judged,
    matching,
    percent,
    reading,
    reasons,
    share,
    tally,
    where,
)
from feverfew.types import Report

__all__ = ["STYLE", "article", "badge", "odds", "origin", "report_html", "reports_page", "subtitle"]

_BAR = (320.0, 10.0)


def report_html(report: Report) -> str:
    """Write one report as a fragment that brings its own style, as notebooks show it."""
    fine = f'<p class="fine">{escape(origin([report]))}</p>' if origin([report]) else ""
    return f'<style>{STYLE}</style>\n<div class="checked">{article(report)}{fine}</div>'


def reports_page(title: str, reports: Sequence[Report]) -> str:
    """Write a page of reports that needs no other file, no network and no script."""
    contents = "".join(
        f'<li class="{FACES[r.verdict].word}"><a href="#c{place}">{badge(r)}'
        f'<span dir="auto">{escape(clean(r.claim))}</span></a></li>'
        for place, r in enumerate(reports, 1)
    )
    nav = f'<nav aria-label="Claims"><ol>{contents}</ol></nav>' if len(reports) > 1 else ""
    body = "\n".join(article(r, anchor=f"c{place}") for place, r in enumerate(reports, 1))
    whole = f'<div class="checked">{nav}<main>\n{body}\n</main></div>'
    return html_frame(title, whole, subtitle=subtitle(reports), style=STYLE)


def subtitle(reports: Sequence[Report]) -> str:
    """Sum up a page of reports."""
    return " · ".join(filter(None, (tally([r.verdict for r in reports]), origin(reports))))


def origin(reports: Sequence[Report]) -> str:
    """Name the corpus, the model and the time, where all reports have them in common."""
    corpora, models = ({getattr(r, name) for r in reports} for name in ("corpus", "model"))
    named = [
        f"{name} {next(iter(found))}"
        for name, found in (("corpus", corpora), ("model", models))
        if len(found) == 1 and found != {""}
    ]
    seconds = sum(sum(report.seconds.values()) for report in reports)
    return " · ".join([*named, *([f"{seconds:.2f} s"] if seconds else [])])


def article(
    report: Report, *, anchor: str = "", level: int = 2, heading: str = "", note: str = ""
) -> str:
    """Write one report; a heading stands in for the claim, and a note, HTML already, below it."""
    shown = clean(heading or report.claim) or "(nothing)"
    at = f' id="{anchor}"' if anchor else ""
    sure = escape(percent(share(report, report.verdict))) if judged(report) else ""
    parts = "\n".join(article(part, level=min(level + 1, 5)) for part in report.parts)
    return (
        f'<article{at} class="report {FACES[report.verdict].word}">\n'
        f'<h{level} dir="auto">{escape(shown)}</h{level}>{note}\n'
        f'<p class="verdict">{badge(report)} <b>{escape(report.verdict)}</b> {sure}</p>\n'
        f"{odds(report)}\n{''.join(_body(report, level))}"
        f"{f'<div class=parts>{parts}</div>' if parts else ''}</article>"
    )


def _body(report: Report, level: int) -> Iterator[str]:
    if said := explanation(report):
        yield f'<p dir="auto">{escape(said)}</p>\n'
    shown = groups(report)
    _, drawn = apart(report, [piece for group in shown for piece in group.pieces])
    for group in shown:
        if group.heading:
            yield f"<h{level + 1}>{escape(group.heading)}</h{level + 1}>\n"
        if rest := apart(report, group.pieces)[0]:
            yield _pieces(rest, report.claim)
    for excerpt, cells in drawn.items():
        yield excerpt_html(excerpt, cells)
    if listed := reasons(report):
        items = "".join(f'<li dir="auto">{escape(reason)}</li>' for reason in listed)
        yield f'<ul class="reasons">{items}</ul>\n'
    if report.chain or report.reasoning:
        items = "".join(f'<li dir="auto">{escape(step)}</li>' for step in chain(report))
        yield f"<h{level + 1}>{escape(chain_heading(report))}</h{level + 1}>\n"
        yield f'<div class="graph">{graph_svg(report)}</div>\n'
        yield f'<ol class="chain">{items}</ol>\n' if items else ""
    if others := also_read(report):
        yield (
            f"<details><summary>Also read ({len(others)})</summary>\n"
            f"{_pieces(others, report.claim)}</details>\n"
        )


def badge(report: Report) -> str:
    """Show a verdict as a symbol that screen readers call by its word."""
    face = FACES[report.verdict]
    return f'<span class="badge" role="img" aria-label="{face.word}">{face.symbol}</span>'


def odds(report: Report) -> str:
    """Draw the three probabilities side by side, and write them below."""
    if not judged(report):
        return ""
    shares = {face.word: share(report, verdict) for verdict, face in FACES.items()}
    total = sum(shares.values()) or 1.0
    width, height = _BAR
    drawn, x = [], 0.0
    for word, value in shares.items():
        length = width * value / total
        drawn.append(svg.rectangle(x, 0, length - 1, height, f"fill:var(--{word})"))
        x += length
    said = [f"{word} {percent(value)}" for word, value in shares.items()]
    legend = "".join(f"<li>{escape(one)}</li>" for one in said)
    picture = svg.document("Probabilities", ", ".join(said), width, height, drawn)
    return f'<div class="odds">{picture}<ul aria-hidden="true">{legend}</ul></div>'


def _pieces(pieces: Sequence[Piece], claim: str) -> str:
    return f'<ul class="pieces">{"".join(_piece(piece, claim) for piece in pieces)}</ul>\n'


def _piece(piece: Piece, claim: str) -> str:
    face = FACES[piece.says] if piece.says else None
    kind = f' class="{face.word}"' if face else ""
    notes = "".join(f'<span class="note">{escape(note)}</span>' for note in piece.notes)
    mark = f'<span class="mark" aria-hidden="true">{face.mark}</span>' if face else ""
    return (
        f'<li{kind}><p class="where">{mark}<cite dir="auto">{escape(where(piece.evidence))}</cite> '
        f'{notes}</p><blockquote dir="auto">{_marked(reading(piece.evidence), claim)}</blockquote>'
        f'<p class="fine"><code>{escape(clean(str(piece.evidence.ref)))}</code></p></li>\n'
    )


def _marked(text: str, claim: str) -> str:
    """Escape a text, with the claim's words in it marked."""
    made, at = [], 0
    for start, end in matching(text, claim):
        made += [escape(text[at:start]), f"<mark>{escape(text[start:end])}</mark>"]
        at = end
    return "".join([*made, escape(text[at:])])


_LIGHT = """;--supported:#1f7a52;--refuted:#a8323e;--open:#8a5a00;--mark:#fff0b8;
--supported-soft:#e6f4ec;--refuted-soft:#fbe9eb;--open-soft:#fdf3dc"""
_DARK = """;--supported:#5fc496;--refuted:#ec7d88;--open:#e3b341;--mark:#4d4216;
--supported-soft:#15302a;--refuted-soft:#3a1d24;--open-soft:#33290f"""

STYLE = (
    themed(".checked", LIGHT + _LIGHT, DARK + _DARK)
    + """
.checked{background:var(--paper);color:var(--ink);line-height:1.5;overflow-wrap:anywhere}
.checked .supported{--own:var(--supported);--soft:var(--supported-soft)}
.checked .refuted{--own:var(--refuted);--soft:var(--refuted-soft)}
.checked .open{--own:var(--open);--soft:var(--open-soft)}
.checked nav ol{columns:1;list-style:none;padding:.75rem 1rem}
.checked nav li{margin:.35rem 0}
.checked nav a{display:flex;gap:.5rem;color:inherit;text-decoration-color:var(--muted);
text-underline-offset:.2em}
.checked .report{margin:1.75rem 0;padding:.2rem 1.1rem .8rem;border:1px solid var(--grid);
border-left:.35rem solid var(--own);border-radius:.4rem;scroll-margin-top:1rem}
.checked .report:target{outline:2px solid var(--own);outline-offset:2px}
.checked .report h2,.checked .report h3,.checked .report h4,.checked .report h5{border:0;padding:0;
line-height:1.3}
.checked .report>h2{font-size:1.2rem;margin:.9rem 0 .3rem}
.checked .parts .report>h3,.checked .parts .report>h4,.checked .parts .report>h5{font-size:1.05rem;
margin:.6rem 0 .2rem}
.checked .report h3,.checked .report h4,.checked .report h5{font-size:.95rem;margin:1rem 0 .3rem}
.checked .parts .report{margin:1rem 0 .4rem}
.checked p{margin:.4rem 0}
.checked .verdict{color:var(--own);font-size:1.1rem}
.checked .badge{display:inline-block;width:1.5em;height:1.5em;line-height:1.5em;border-radius:50%;
flex:none;text-align:center;font-size:.9em;font-weight:700;color:var(--own);
background:var(--soft)}
.checked svg{max-width:100%;height:auto;font-variant-numeric:tabular-nums}
.checked .odds svg{display:block;border-radius:.3rem}
.checked .odds ul{display:flex;flex-wrap:wrap;gap:.1rem 1rem;margin:.3rem 0 .8rem;padding:0;
list-style:none;font-size:.85rem;color:var(--muted)}
.checked .odds li{white-space:nowrap}
.checked .pieces{list-style:none;margin:.6rem 0;padding:0}
.checked .pieces>li{margin:.6rem 0;padding:.5rem .9rem;background:var(--band);border-radius:.4rem}
.checked .where{margin:0}
.checked cite{font-style:normal;font-weight:600}
.checked .mark{display:inline-block;width:1.1em;font-weight:700;color:var(--own)}
.checked .note{display:inline-block;margin:0 .3rem .1rem 0;padding:0 .5em;border-radius:.7em;
font-size:.8rem;color:var(--own,var(--muted));border:1px solid currentColor}
.checked blockquote{margin:.25rem 0}
.checked mark{background:var(--mark);color:inherit;border-radius:.15em;padding:0 .08em}
.checked .fine,.checked .fine code{margin:0;font-size:.8rem;color:var(--muted)}
.checked .reasons{margin:.6rem 0;padding-left:1.3rem}
.checked summary{cursor:pointer;color:var(--muted);font-size:.9rem}
@media (max-width:30rem){.checked .report{padding:.1rem .8rem .6rem}
.checked .parts .report{padding:.1rem .6rem .4rem}}
@media print{.checked .pieces>li{break-inside:avoid}}
"""
    + EXCERPT_STYLE
)
