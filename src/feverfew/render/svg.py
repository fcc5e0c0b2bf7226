"""SVG primitives for the plots: escaped text, scales, ticks and the frame.

Colours are CSS variables with fallbacks, so that a picture follows the page's light or dark theme
and keeps its colours in a separate file.
"""

import html
import math
import re
from collections.abc import Iterable

from msgspec import Struct

INK, MUTED, GRID = "var(--ink,#1d2733)", "var(--muted,#5b6776)", "var(--grid,#d9dee5)"
ACCENT = "var(--series-0,#2a6db0)"
# Told apart by people with any of the common colour blindnesses, and in grey by their dashes.
SERIES = (
    ACCENT,
    "var(--series-1,#c25e12)",
    "var(--series-2,#2b8a5f)",
    "var(--series-3,#8157a6)",
    "var(--series-4,#a8323e)",
    "var(--series-5,#5d6b1f)",
)

# XML has no way to write these, escaped or not; a lone surrogate cannot even be encoded.
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(value: object) -> str:
    """Make a value safe inside HTML and XML, between tags and inside quotes."""
    return html.escape(_UNWRITABLE.sub("\ufffd", str(value)))


def number(value: float) -> str:
    """Format a coordinate: two decimals, no trailing zeros."""
    return f"{round(value, 2) + 0.0:.10g}"  # + 0.0: no "-0"


def require_finite(*values: float | None) -> None:
    """Raise for values that cannot be drawn."""
    for value in values:
        if value is not None and not math.isfinite(value):
            raise ValueError(f"a plot needs finite numbers, not {value}")


def shorten(label: str, longest: int) -> str:
    """Truncate a label that is too long."""
    return label if len(label) <= longest else label[: longest - 1].rstrip() + "…"


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers that cover low to high.

    >>> ticks(0, 0.93)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    span = high - low
    if span <= max(abs(low), abs(high)) * 1e-12 or span < 1e-300:  # flat, as far as floats tell
        span = abs(high) if abs(high) > 1e-300 else 1.0
        low, high = low - span / 2, high + span / 2
    power = 10.0 ** math.floor(math.log10(span / about))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if span / (m * power) <= about + 1e-9)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    places = max(0, 2 - math.floor(math.log10(step)))
    return [round(n * step, places) + 0.0 for n in range(first, last + 1)]


class Plane(Struct, frozen=True):
    """A rectangle of the picture and the value range of its axes."""

    left: float
    top: float
    width: float
    height: float
    x_low: float
    x_high: float
    y_low: float
    y_high: float

    def x(self, value: float) -> float:
        """Map a value to an x coordinate."""
        return self.left + (value - self.x_low) / (self.x_high - self.x_low) * self.width

    def y(self, value: float) -> float:
        """Map a value to a y coordinate."""
        share = (value - self.y_low) / (self.y_high - self.y_low)
        return self.top + (1 - share) * self.height


def line(
    x1: float, y1: float, x2: float, y2: float, colour: str, *, width: float = 1, dash: str = ""
) -> str:
    """Draw a straight line."""
    dashes = f";stroke-dasharray:{dash}" if dash else ""
    look = painted(f"stroke:{colour};stroke-width:{number(width)}{dashes}")
    return f'<line x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}" {look}/>'


def painted(style: str) -> str:
    """Write a style as attributes, which a strict Content-Security-Policy allows.

    >>> painted("fill:none;stroke:var(--ink)")
    'fill="none" stroke="var(--ink)"'
    """
    pairs = (one.partition(":") for one in style.split(";") if one)
    return " ".join(f'{name}="{escape(value)}"' for name, _, value in pairs)


def rectangle(
    x: float, y: float, width: float, height: float, style: str, *, tooltip: str = ""
) -> str:
    """Draw a box; a tooltip is read by screen readers too."""
    box = (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(max(width, 0))}" '
        f'height="{number(max(height, 0))}" {painted(style)}'
    )
    return f"{box}><title>{escape(tooltip)}</title></rect>" if tooltip else f"{box}/>"


def text(
    x: float,
    y: float,
    content: str,
    *,
    anchor: str = "start",
    colour: str = INK,
    size: float = 12,
    bold: bool = False,
    turned: bool = False,
) -> str:
    """Write a line of text; `anchor` is start, middle or end, `turned` reads upwards."""
    weight = ";font-weight:600" if bold else ""
    turn = f' transform="rotate(-90 {number(x)} {number(y)})"' if turned else ""
    look = painted(f"fill:{colour};font-size:{number(size)}px;text-anchor:{anchor}{weight}")
    return f'<text x="{number(x)}" y="{number(y)}"{turn} {look}>{escape(content)}</text>'


def document(title: str, description: str, width: float, height: float, body: Iterable[str]) -> str:
    """Wrap parts into an accessible SVG with a title and a description."""
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {number(width)} {number(height)}" '
            f'width="{number(width)}" height="{number(height)}" '
            f'font-family="system-ui,sans-serif">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
            *body,
            "</svg>",
        )
    )


_FRAME = re.compile(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>\n(.*)\n</svg>', re.S)


def stack(title: str, pictures: Iterable[str]) -> str:
    """Stack pictures made by `document` vertically."""
    body, said = [], []
    width = height = 0.0
    for picture in pictures:
        frame = _FRAME.fullmatch(picture)
        if not frame:
            raise ValueError("only pictures that `document` made can be stacked")
        body.append(f'<g transform="translate(0 {number(height)})">\n{frame[3]}\n</g>')
        said.append(html.unescape(picture.partition("<title>")[2].partition("</title>")[0]))
        width, height = max(width, float(frame[1])), height + float(frame[2])
    return document(title, f"Pictures below each other: {'; '.join(said)}.", width, height, body)
