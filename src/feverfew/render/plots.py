"""Plots as SVG text: bars with intervals, lines, reliability, risk and coverage, heat maps.

Every function takes plain numbers and returns an SVG for a page or a separate file. Each plot has a
text description.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from feverfew.render import svg

WIDTH = 640.0
_CHARACTER = 6.6  # the mean width of a letter at 12 px, generously
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")


class Bar(Struct, frozen=True):
    """A bar: its label, its value, and its interval, if known."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""
    """A few words behind the value, such as the number of claims."""


class Bin(Struct, frozen=True):
    """One bin of a reliability diagram."""

    confidence: float
    """The mean confidence of the claims in the bin."""
    accuracy: float
    count: int


def bars(title: str, items: Sequence[Bar], *, axis: str = "", places: int = 3) -> str:
    """Draw horizontal bars, whiskers for their intervals, and the values as numbers."""
    for item in items:
        svg.require_finite(item.value, item.low, item.high)
    ends = [v for i in items for v in (i.value, i.low, i.high) if v is not None]
    marks = svg.ticks(min(0.0, *ends), max(0.0, *ends)) if ends else [0.0, 1.0]
    labels = [svg.shorten(i.label, 44) for i in items]
    values = [f"{i.value:.{places}f}" + (f" · {i.note}" if i.note else "") for i in items]
    gutter = 16 + _CHARACTER * max(map(len, labels), default=0)
    margin = 16 + _CHARACTER * max(map(len, values), default=0)
    row = 26.0
    plane = svg.Plane(
        gutter, 34, WIDTH - gutter - margin, row * len(items), marks[0], marks[-1], 0, 1
    )
    bottom = plane.top + plane.height
    body = [svg.text(8, 18, title, size=14, bold=True)]
    for mark in marks:
        body.append(svg.line(plane.x(mark), plane.top, plane.x(mark), bottom, svg.GRID))
        body.append(
            svg.text(plane.x(mark), bottom + 16, f"{mark:g}", anchor="middle", colour=svg.MUTED)
        )
    for place, (item, label, value) in enumerate(zip(items, labels, values, strict=True)):
        middle = plane.top + row * (place + 0.5)
        start, end = sorted((plane.x(0), plane.x(item.value)))
        body.append(svg.text(gutter - 8, middle + 4, label, anchor="end"))
        body.append(
            svg.rectangle(
                start, middle - 8, end - start, 16, f"fill:{svg.ACCENT}", tooltip=_said(item)
            )
        )
        body.extend(_whisker(plane, middle, item))
        body.append(svg.text(WIDTH - margin + 8, middle + 4, value, colour=svg.MUTED))
    body.append(svg.line(plane.x(0), plane.top, plane.x(0), bottom, svg.INK))
    if axis:
        middle = plane.left + plane.width / 2
        body.append(svg.text(middle, bottom + 34, axis, anchor="middle", colour=svg.MUTED))
    said = "; ".join(_said(i) for i in items)
    return svg.document(title, f"Bar chart. {said}.", WIDTH, bottom + (44 if axis else 26), body)


def _said(item: Bar) -> str:
    within = (
        "" if item.low is None or item.high is None else f" ({item.low:.4g} to {item.high:.4g})"
    )
    return f"{item.label}: {item.value:.4g}{within}"


def _whisker(plane: svg.Plane, middle: float, item: Bar) -> list[str]:
    if item.low is None or item.high is None:
        return []
    low, high = plane.x(item.low), plane.x(item.high)
    return [
        svg.line(low, middle, high, middle, svg.INK, width=1.4),
        svg.line(low, middle - 4, low, middle + 4, svg.INK, width=1.4),
        svg.line(high, middle - 4, high, middle + 4, svg.INK, width=1.4),
    ]


def lines(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    *,
    x_label: str = "",
    y_label: str = "",
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
) -> str:
    """Draw named series as lines, with a legend if there are several."""
    points = [p for line in series.values() for p in line]
    for x, y in points:
        svg.require_finite(x, y)
    xs, ys = [p[0] for p in points] or [0.0, 1.0], [p[1] for p in points] or [0.0, 1.0]
    x_marks = svg.ticks(*(x_range or (min(xs), max(xs))))
    y_marks = svg.ticks(*(y_range or (min(ys), max(ys))))
    legend = 20.0 * (len(series) if len(series) > 1 else 0)
    plane = svg.Plane(62, 34, WIDTH - 86, 270, x_marks[0], x_marks[-1], y_marks[0], y_marks[-1])
    body = _axes(title, plane, x_marks, y_marks, x_label, y_label)
    for place, (name, line) in enumerate(series.items()):
        colour, dash = svg.SERIES[place % len(svg.SERIES)], _DASHES[place % len(_DASHES)]
        body.append(_polyline(plane, line, colour, dash))
        if len(line) == 1:  # a line of one point would not be seen
            ((across, up),) = line
            at = f'cx="{svg.number(plane.x(across))}" cy="{svg.number(plane.y(up))}"'
            body.append(f'<circle {at} r="3.5" style="fill:{colour}"/>')
        if legend:
            y = plane.top + plane.height + 58 + 20 * place
            body.append(
                svg.line(plane.left, y - 4, plane.left + 28, y - 4, colour, width=2, dash=dash)
            )
            body.append(svg.text(plane.left + 36, y, svg.shorten(name, 80)))
    said = "; ".join(
        f"{name}: {len(line)} points"
        + (f", from {_at(line[0])} to {_at(line[-1])}" if line else "")
        for name, line in series.items()
    )
    height = plane.top + plane.height + 50 + legend
    return svg.document(
        title, f"Line plot of {y_label or 'y'} over {x_label or 'x'}. {said}.", WIDTH, height, body
    )


def _at(point: tuple[float, float]) -> str:
    return f"({point[0]:.4g}, {point[1]:.4g})"


def _polyline(
    plane: svg.Plane, line: Sequence[tuple[float, float]], colour: str, dash: str = ""
) -> str:
    path = " ".join(f"{svg.number(plane.x(x))},{svg.number(plane.y(y))}" for x, y in line)
    dashes = f";stroke-dasharray:{dash}" if dash else ""
    return (
        f'<polyline points="{path}" style="fill:none;stroke:{colour};stroke-width:2;'
        f'stroke-linejoin:round{dashes}"/>'
    )


def _axes(
    title: str,
    plane: svg.Plane,
    x_marks: Sequence[float],
    y_marks: Sequence[float],
    x_label: str,
    y_label: str,
) -> list[str]:
    right, bottom = plane.left + plane.width, plane.top + plane.height
    body = [svg.text(8, 18, title, size=14, bold=True)]
    for mark in y_marks:
        y = plane.y(mark)
        body.append(svg.line(plane.left, y, right, y, svg.GRID))
        body.append(svg.text(plane.left - 8, y + 4, f"{mark:g}", anchor="end", colour=svg.MUTED))
    for mark in x_marks:
        x = plane.x(mark)
        body.append(svg.line(x, bottom, x, bottom + 4, svg.MUTED))
        body.append(svg.text(x, bottom + 18, f"{mark:g}", anchor="middle", colour=svg.MUTED))
    body.append(svg.line(plane.left, bottom, right, bottom, svg.INK))
    middle = plane.left + plane.width / 2
    body.append(svg.text(middle, bottom + 38, x_label, anchor="middle", colour=svg.MUTED))
    half = plane.top + plane.height / 2
    body.append(svg.text(16, half, y_label, anchor="middle", colour=svg.MUTED, turned=True))
    return body


def reliability(title: str, bins: Sequence[Bin]) -> str:
    """Draw accuracy over confidence; the diagonal is perfect calibration, size is count."""
    for b in bins:
        svg.require_finite(b.confidence, b.accuracy)
    marks = svg.ticks(0, 1)
    plane = svg.Plane(62, 34, 360, 360, 0, 1, 0, 1)
    body = _axes(title, plane, marks, marks, "confidence", "accuracy")
    body.append(svg.line(plane.x(0), plane.y(0), plane.x(1), plane.y(1), svg.MUTED, dash="4 4"))
    filled = [b for b in bins if b.count]
    if filled:
        body.append(_polyline(plane, [(b.confidence, b.accuracy) for b in filled], svg.ACCENT))
    most = max((b.count for b in filled), default=1)
    for b in filled:
        x, y = plane.x(b.confidence), plane.y(b.accuracy)
        # The gap between what was said and what was true, as a line to the diagonal.
        body.append(svg.line(x, y, x, plane.y(b.confidence), svg.SERIES[1], width=1.5))
        radius = 3 + 8 * (b.count / most) ** 0.5
        tip = f"confidence {b.confidence:.3f}, accuracy {b.accuracy:.3f}, {b.count} claims"
        body.append(
            f'<circle cx="{svg.number(x)}" cy="{svg.number(y)}" r="{svg.number(radius)}" '
            f'style="fill:{svg.ACCENT};fill-opacity:.75"><title>{svg.escape(tip)}</title></circle>'
        )
    notes = ("dashed: perfect calibration", "dots: size by number of claims", "orange: the gap")
    for place, note in enumerate(notes):
        body.append(svg.text(442, 60 + 20 * place, note, colour=svg.MUTED))
    said = "; ".join(f"{b.confidence:.3f} → {b.accuracy:.3f} ({b.count})" for b in filled)
    return svg.document(
        title, f"Reliability diagram, confidence → accuracy (claims): {said}.", WIDTH, 446, body
    )


def risk_coverage(title: str, curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Draw the share of errors among the most confident answers, over the share answered."""
    highest = max((risk for curve in curves.values() for _, risk in curve), default=1.0)
    return lines(
        title,
        curves,
        x_label="coverage (share of claims answered, most confident first)",
        y_label="risk (share of errors)",
        x_range=(0, 1),
        y_range=(0, highest or 1.0),
    )


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    counts: Sequence[Sequence[float]],
    *,
    row_title: str = "gold",
    column_title: str = "predicted",
) -> str:
    """Draw a table of counts, each cell shaded by its share of its row."""
    for line in counts:
        svg.require_finite(*line)
    longest = max((len(svg.shorten(r, 22)) for r in rows), default=0)
    gutter = 40 + _CHARACTER * longest
    cell = min(120.0, (WIDTH - gutter - 8) / max(len(columns), 1))
    fits = max(3, int(cell / _CHARACTER))
    top, height = 74.0, min(cell, 54.0)
    body = [svg.text(8, 18, title, size=14, bold=True)]
    across = gutter + cell * len(columns) / 2
    body.append(svg.text(across, 44, column_title, anchor="middle", colour=svg.MUTED))
    down = top + height * len(rows) / 2
    body.append(svg.text(16, down, row_title, anchor="middle", colour=svg.MUTED, turned=True))
    for j, name in enumerate(columns):
        x = gutter + cell * (j + 0.5)
        body.append(svg.text(x, 64, svg.shorten(name, fits), anchor="middle"))
    for i, name in enumerate(rows):
        y = top + height * i
        body.append(svg.text(gutter - 8, y + height / 2 + 4, svg.shorten(name, 22), anchor="end"))
        total = sum(counts[i])
        for j, count in enumerate(counts[i]):
            share = count / total if total else 0.0
            x = gutter + cell * j
            tip = f"{row_title} {name}, {column_title} {columns[j]}: {count:g} ({share:.1%})"
            # Shaded from 6 % up, so that an empty cell still shows where it stands.
            shade = f"fill:{svg.ACCENT};fill-opacity:{0.06 + 0.56 * share:.3f}"
            body.append(svg.rectangle(x + 1, y + 1, cell - 2, height - 2, shade, tooltip=tip))
            middle = x + cell / 2
            body.append(svg.text(middle, y + height / 2, f"{count:,g}", anchor="middle", bold=True))
            body.append(
                svg.text(middle, y + height / 2 + 15, f"{share:.0%}", anchor="middle", size=11)
            )
    said = "; ".join(
        f"{r}: " + ", ".join(f"{c} {n:g}" for c, n in zip(columns, line, strict=True))
        for r, line in zip(rows, counts, strict=True)
    )
    return svg.document(
        title,
        f"Table of {row_title} by {column_title}. {said}.",
        WIDTH,
        top + height * len(rows) + 10,
        body,
    )
