"""Reports as HTML: one for a notebook, a page of them, or a checked document; no scripts.

All text of a claim or a page is escaped: a corpus is untrusted.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from feverfew.render import svg
from feverfew.render.chain_graph import graph_svg
from feverfew.render.chain_graph import heading as chain_heading
from feverfew.render.excerpts import apart, excerpt_html
from feverfew.render.page import css, html_frame
from feverfew.render.svg import escape
from feverfew.render.wording import (
    FACES,
    Piece,
    also_read,
    chain,
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
    tally,
    where,
)
from feverfew.types import Provenance, Report

if TYPE_CHECKING:
    from feverfew.check.documents import Passage

_BAR = (320.0, 10.0)
Files = Mapping[str, str]
"""The URL of each source, by its path in the evidence."""
_NO_FILES: Files = MappingProxyType({})


def report_html(report: Report) -> str:
    """Render one report as an HTML fragment with its own style, for notebooks."""
    fine = f'<p class="fine">{escape(origin([report]))}</p>' if origin([report]) else ""
    return f'<style>{STYLE}</style>\n<div class="checked">{article(report)}{fine}</div>'


def reports_page(title: str, reports: Sequence[Report], files: Files = _NO_FILES) -> str:
    """Render a self-contained page of reports, without scripts.

    `files` maps sources to URLs, so that evidence can link to them.
    """
    contents = "".join(
        f'<li class="{FACES[r.verdict].css_class}"><a href="#c{place}">{badge(r)}'
        f'<span dir="auto">{escape(clean(r.claim))}</span></a></li>'
        for place, r in enumerate(reports, 1)
    )
    nav = f'<nav aria-label="Claims"><ol>{contents}</ol></nav>' if len(reports) > 1 else ""
    body = "\n".join(
        article(r, anchor=f"c{place}", files=files) for place, r in enumerate(reports, 1)
    )
    whole = f'<div class="checked">{nav}<main>\n{body}\n</main></div>'
    return html_frame(title, whole, subtitle=subtitle(reports), style=STYLE)


def subtitle(reports: Sequence[Report]) -> str:
    """Sum up a page of reports."""
    return " · ".join(filter(None, (tally([r.verdict for r in reports]), origin(reports))))


def origin(reports: Sequence[Report]) -> str:
    """Name the corpus, the model and the time, if all reports share them."""
    corpora, models = ({getattr(r, name) for r in reports} for name in ("corpus", "model"))
    named = [
        f"{name} {next(iter(found))}"
        for name, found in (("corpus", corpora), ("model", models))
        if len(found) == 1 and found != {""}
    ]
    seconds = sum(sum(report.seconds.values()) for report in reports)
    return " · ".join([*named, *([f"{seconds:.2f} s"] if seconds else [])])


def article(
    report: Report,
    *,
    anchor: str = "",
    level: int = 2,
    heading: str = "",
    note: str = "",
    files: Files = _NO_FILES,
) -> str:
    """Render one report; `heading` replaces the claim, and `note` (HTML) goes below it."""
    shown = clean(heading or report.claim) or "(nothing)"
    at = f' id="{anchor}"' if anchor else ""
    conflicts = located(shown, report.claim, report.marks)
    lean = f" · {escape(leaning(report))}" if report.leaning else ""
    sure = escape(percent(share(report, report.verdict))) if judged(report) else ""
    parts = "\n".join(article(part, level=min(level + 1, 5), files=files) for part in report.parts)
    return (
        f'<article{at} class="report {FACES[report.verdict].css_class}">\n'
        f'<h{level} dir="auto">{_marked(shown, conflicts=conflicts)}</h{level}>{note}\n'
        f'<p class="verdict">{badge(report)} <b>{escape(report.verdict)}</b> {sure}{lean}</p>\n'
        f"{odds(report)}\n{''.join(_body(report, level, files))}"
        f"{f'<div class=parts>{parts}</div>' if parts else ''}</article>"
    )


def _body(report: Report, level: int, files: Files) -> Iterator[str]:
    if said := explanation(report):
        yield f'<p dir="auto">{escape(said)}</p>\n'
    shown = groups(report)
    _, drawn = apart(report, [piece for group in shown for piece in group.pieces])
    for group in shown:
        if group.heading:
            yield f"<h{level + 1}>{escape(group.heading)}</h{level + 1}>\n"
        if rest := apart(report, group.pieces)[0]:
            yield _pieces(rest, report.claim, files)
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
            f"{_pieces(others, report.claim, files)}</details>\n"
        )


def badge(report: Report) -> str:
    """Show a verdict as a symbol with its word for screen readers."""
    face = FACES[report.verdict]
    return f'<span class="badge" role="img" aria-label="{face.word}">{face.symbol}</span>'


def odds(report: Report) -> str:
    """Draw the three probabilities as a bar, with their values below."""
    if not judged(report):
        return ""
    shares = {face: share(report, verdict) for verdict, face in FACES.items()}
    total = sum(shares.values()) or 1.0
    width, height = _BAR
    drawn, x = [], 0.0
    for face, value in shares.items():
        length = width * value / total
        drawn.append(svg.rectangle(x, 0, length - 1, height, f"fill:var(--{face.css_class})"))
        x += length
    said = [f"{face.word} {percent(value)}" for face, value in shares.items()]
    legend = "".join(f"<li>{escape(one)}</li>" for one in said)
    picture = svg.document("Probabilities", ", ".join(said), width, height, drawn)
    return f'<div class="odds">{picture}<ul aria-hidden="true">{legend}</ul></div>'


def _pieces(pieces: Sequence[Piece], claim: str, files: Files) -> str:
    return f'<ul class="pieces">{"".join(_piece(piece, claim, files) for piece in pieces)}</ul>\n'


def _piece(piece: Piece, claim: str, files: Files) -> str:
    face = FACES[piece.says] if piece.says else None
    kind = f' class="{face.css_class}"' if face else ""
    notes = "".join(f'<span class="note">{escape(note)}</span>' for note in piece.notes)
    mark = f'<span class="mark" aria-hidden="true">{face.mark}</span>' if face else ""
    text = _marked(piece.text, claim, piece.conflicts)
    return (
        f'<li{kind}><p class="where">{mark}<cite dir="auto">{escape(where(piece.evidence))}</cite> '
        f'{notes}</p><blockquote dir="auto">{text}</blockquote>'
        f'<p class="fine"><code>{escape(clean(str(piece.evidence.ref)))}</code>'
        f"{_source(piece.evidence.source, files)}</p></li>\n"
    )


def _source(source: Provenance | None, files: Files) -> str:
    """Name the file and the page of a piece of evidence; link to the file if its URL is known."""
    if source is None:
        return ""
    said = escape(clean(source.path)) + (f", page {source.page}" if source.page else "")
    if source.path not in files:
        return f' <span class="source">{said}</span>'
    place = f"#page={source.page}" if source.page else ""
    return f' <a class="source" href="{escape(files[source.path] + place)}">{said}</a>'


_TAGS = {"": "{}", "match": "<mark>{}</mark>", "conflict": '<mark class="conflict">{}</mark>'}


def _marked(text: str, claim: str = "", conflicts: Sequence[tuple[int, int]] = ()) -> str:
    """Escape a text; mark the claim's words in it, and what contradicts the claim."""
    return "".join(
        _TAGS[kind].format(escape(stretch)) for stretch, kind in highlights(text, claim, conflicts)
    )


STYLE = css("report.css")


class CheckedPassage(Struct, frozen=True):
    """A passage of a document and its report; None if it was skipped."""

    passage: "Passage"
    report: Report | None


def document_page(
    title: str, text: str, checked: Sequence[CheckedPassage], files: Files = _NO_FILES
) -> str:
    """Render a document whose checked sentences link to their findings."""
    reports = [one.report for one in checked if one.report is not None]
    findings = "\n".join(_findings(place, one, files) for place, one in enumerate(checked))
    skipped = "".join(
        f'<li dir="auto">{escape(clean(one.passage.text))} '
        f'<span class="note">{escape(one.passage.skipped)}</span></li>'
        for one in checked
        if one.report is None
    )
    below = f'<h2>Skipped</h2><ul class="skipped">{skipped}</ul>' if skipped else ""
    body = (
        f'<div class="checked"><main><div class="document" dir="auto">'
        f"{''.join(_text(text, checked))}</div>\n"
        f"{f'<h2>Findings</h2>{findings}' if reports else ''}\n{below}</main></div>"
    )
    over = len(checked) - len(reports)
    said = f"{subtitle(reports)} · {over:,} skipped" if over else subtitle(reports)
    return html_frame(title, body, subtitle=said, style=STYLE)


def _text(text: str, checked: Sequence[CheckedPassage]) -> Iterator[str]:
    at = 0
    for place, one in enumerate(checked):
        start, end = max(one.passage.start, at), max(one.passage.end, at)
        yield escape(text[at:start])
        said = escape(text[start:end])
        if one.report is None:
            yield f'<span class="skipped" title="{escape(one.passage.skipped)}">{said}</span>'
        else:
            word = FACES[one.report.verdict].css_class
            yield (
                f'<a id="t{place}" class="said {word}" href="#c{place}">'
                f"{badge(one.report)}{said}</a>"
            )
        at = end
    yield escape(text[at:])


def _findings(place: int, one: CheckedPassage, files: Files) -> str:
    if one.report is None:
        return ""
    back = f'<a href="#t{place}">in the text</a>'
    read = escape(read_as(one.report, one.passage.text))
    note = f'<p class="fine" dir="auto">{" · ".join(filter(None, (read, back)))}</p>'
    return article(one.report, anchor=f"c{place}", heading=one.passage.text, note=note, files=files)
