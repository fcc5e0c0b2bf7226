"""Write results as JSON, Markdown and SVG."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from feverfew.errors import InputError
from feverfew.lab.papers.measure import RATE, Measured, Result, holds
from feverfew.render.plots import lines
from feverfew.score.summary import Estimate


def write_result(result: Result, folder: Path) -> list[Path]:
    """Write a result's files under its name; return them."""
    base = folder / result.name
    try:
        base.parent.mkdir(parents=True, exist_ok=True)
        written = [base.with_name(f"{base.name}.json"), base.with_name(f"{base.name}.md")]
        data = msgspec.json.format(msgspec.json.encode(result), indent=2)
        written[0].write_bytes(data + b"\n")
        written[1].write_text(as_markdown(result), "utf-8")
        if result.plot:
            written.append(base.with_name(f"{base.name}.svg"))
            written[2].write_text(_plot(result), "utf-8")
        (folder / "README.md").write_text(index(read_results(folder)), "utf-8")
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    return written


def read_results(folder: Path) -> list[Result]:
    """Read the results that lie in a folder."""
    return [_read(path) for path in sorted(folder.glob("*/*.json"))]


def _read(path: Path) -> Result:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except msgspec.DecodeError as error:
        raise InputError(f"{path}: not a result ({error}); remove it, or measure it anew") from None


def index(results: Sequence[Result]) -> str:
    """List results as a page."""
    rows = [
        f"| [{r.name}]({r.name}.md) | {r.paper}, {r.table} | {r.title} | {r.claims:,} "
        f"| {r.dataset} |"
        for r in results
    ]
    head = "| experiment | table | what it shows | claims | on |\n| --- | --- | --- | --- | --- |"
    return "\n".join(
        [
            "# The papers' tables, measured again",
            "",
            "Written by `feverfew reproduce`; [how, and what is missing]"
            "(../guides/reproducing.md).",
            "These figures were measured with hand-written optimisers and forests; PyTorch and "
            "scikit-learn, which train the same networks since, change them slightly.",
            "",
            head,
            *rows,
            "",
        ]
    )


def as_markdown(result: Result) -> str:
    """Write a table as a page: every figure next to the paper's, and what the paper concludes."""
    parts = [
        f"# {result.paper}, {result.table}: {result.title}",
        "",
        f"`feverfew reproduce {result.name}`: {result.claims:,} claims, {_labels(result)}; "
        f"{result.dataset}. In per cent, with 95 % intervals from claims "
        "redrawn by page.",
        "",
    ]
    if result.notes:
        parts += [result.notes.strip(), ""]
    if result.plot:
        parts += [f"![{result.title}]({result.name.rpartition('/')[2]}.svg)", ""]
    whole = any(figure.whole for figure in result.figures)
    last = " here, whole pages |" if whole else ""
    parts += [f"| | | the paper | here |{last}", f"| --- | --- | --- | --- |{' --- |' * whole}"]
    parts += [_row(figure, whole) for figure in in_order(result)]
    if result.orderings:
        parts += ["", "## What the paper concludes", ""]
        parts += [_conclusion(result, at) for at in range(len(result.orderings))]
    return "\n".join([*parts, ""])


def _labels(result: Result) -> str:
    return "as many of each label" if result.balanced else "labels as they come"


def in_order(result: Result) -> list[Measured]:
    """Return the figures; those of a ranked table best first, as measured or else published."""
    if not result.ranked:
        return result.figures
    worth = {
        figure.row: figure.here.value if figure.here else figure.paper or -1.0
        for figure in result.figures
        if figure.column == result.ranked
    }
    return sorted(result.figures, key=lambda figure: -worth.get(figure.row, -1.0))


def _row(figure: Measured, whole: bool) -> str:
    said = "" if figure.paper is None else f"{figure.paper:.2f}"
    here = figure.missing or _written(figure.here, figure.metric)
    last = f" {_written(figure.whole, figure.metric)} |" if whole else ""
    return f"| {figure.row} | {figure.column} | {said} | {here} |{last}"


def _written(estimate: Estimate | None, metric: str) -> str:
    if estimate is None:
        return ""
    if metric == RATE:
        return f"{estimate.value:,.0f} claims a second"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} ({estimate.low:.1f} to {estimate.high:.1f})"


def _conclusion(result: Result, at: int) -> str:
    ordering = result.orderings[at]
    held = holds(ordering, result.figures)
    said = {True: "so here too", False: "**not so here**", None: "not measured here"}[held]
    why = f": {ordering.differs}" if held is False and ordering.differs else ""
    above, below = (name.replace(" | ", ", ") for name in (ordering.above, ordering.below))
    return f"- {above} above {below}: {said}{why}"


def _plot(result: Result) -> str:
    series: dict[str, list[tuple[float, float]]] = {}
    for figure in result.figures:
        if figure.here is not None:
            series.setdefault(figure.column, []).append((float(figure.row), figure.here.value))
    return lines(
        f"{result.paper}, {result.table}", series, x_label=result.plot, y_label="accuracy (%)"
    )
