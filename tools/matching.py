"""Compare what the docs show with what a program prints, and renew what they show.

Output differs a little between machines, so a shown text matches a printed one if the two are equal
but for

- `…`, which stands for anything; on a line of its own, for any number of lines;
- times, rates and dates, which are never the same twice;
- percentages and decimals, which may differ a little: processors round differently.

>>> matches("✓ SUPPORTED  91 %\\n…", "✓ SUPPORTED  92 %\\n  + Fritz Lang")
True
>>> matches("✓ SUPPORTED  91 %", "✓ SUPPORTED  71 %")
False
>>> renewed("SUPPORTED  91 %  …\\n…\\nlast", "SUPPORTED  71 %  refuted 2 %\\na\\nb\\nend")
'SUPPORTED  71 %  …\\n…\\nend'
"""

import re

__all__ = ["matches", "renewed"]

_ELISION = "…"
_TIME = (
    r"\d{4}-\d\d-\d\dT[\d:.+Z-]+|\d+:\d\d:\d\d"
    r"|\d[\d.,]* (?:m?s\b|seconds?\b|(?:\w+ )?(?:a|per) second\b)"
)
_TOKEN = re.compile(
    r"(?P<any>…)"
    rf"|(?P<time>{_TIME})"
    r"|(?P<share>[<>]?\d+(?:\.\d+)? %)"
    r"|(?P<decimal>-?\d+\.\d+(?:e-?\d+)?)"
)
_PATTERNS = {
    "any": r"(.*?)",
    "time": rf"({_TIME})",
    "share": r"([<>]?\d+(?:\.\d+)? %)",
    "decimal": r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)",
}
_POINTS = 3.0
"""How far two percentages may be apart."""
_NEAR = 0.03
"""How far two decimals may be apart; a share of the larger one, if that is above 1."""


def matches(shown: str, printed: str) -> bool:
    """Say whether a text in the docs is what was printed."""
    return _aligned(_lines(shown), _lines(printed), strict=True) is not None


def renewed(shown: str, printed: str) -> str:
    """Return what the docs should show: what was printed, with the elisions of what they show."""
    old, new = _lines(shown), _lines(printed)
    if (pairs := _aligned(old, new, strict=False)) is not None:
        return "\n".join(_filled(line, match) for line, match in pairs)
    if _ELISION not in old:
        return "\n".join(_cut(new, old))
    head, tail = old.index(_ELISION), len(old) - old.index(_ELISION) - 1
    if head + tail >= len(new):
        return "\n".join(new)
    return "\n".join([*_cut(new[:head], old), _ELISION, *new[len(new) - tail :]])


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _cut(new: list[str], old: list[str]) -> list[str]:
    """Cut lines short where the old ones were."""
    return [
        line[: len(was) - 1] + _ELISION if was.endswith(_ELISION) and len(line) > len(was) else line
        for line, was in zip(new, [*old, *[""] * len(new)], strict=False)
    ]


_Pairs = list[tuple[str, "re.Match[str] | None"]]


def _aligned(shown: list[str], printed: list[str], *, strict: bool) -> _Pairs | None:
    """Pair each shown line with the one that it matches; None if they do not fit together."""
    if not shown:
        return None if printed else []
    line, rest = shown[0], shown[1:]
    if line == _ELISION:
        for start in range(len(printed) + 1):
            if (tail := _aligned(rest, printed[start:], strict=strict)) is not None:
                return [(line, None), *tail]
        return None
    if not printed or not (found := _match(line, printed[0], strict=strict)):
        return None
    tail = _aligned(rest, printed[1:], strict=strict)
    return None if tail is None else [(line, found), *tail]


def _match(shown: str, printed: str, *, strict: bool) -> "re.Match[str] | None":
    tokens = list(_TOKEN.finditer(shown))
    pattern, end = "", 0
    for token in tokens:
        pattern += re.escape(shown[end : token.start()]) + _PATTERNS[str(token.lastgroup)]
        end = token.end()
    found = re.fullmatch(pattern + re.escape(shown[end:]), printed)
    if found and strict and not all(map(_near, tokens, found.groups())):
        return None
    return found


def _near(token: "re.Match[str]", printed: str) -> bool:
    kind, shown = token.lastgroup, token.group()
    if kind == "share":
        return abs(_number(shown) - _number(printed)) <= _POINTS
    if kind == "decimal":
        there, here = float(shown), float(printed)
        return abs(there - here) <= _NEAR * max(1.0, abs(there), abs(here))
    return True


def _number(share: str) -> float:
    """Read a percentage; "<1 %" is a half, ">99 %" is 99 and a half."""
    off = {"<": -0.5, ">": 0.5}.get(share[0], 0.0)
    return float(share.strip("<> %")) + off


def _filled(line: str, match: "re.Match[str] | None") -> str:
    """Put the new numbers into a shown line; elisions and times stay as they are."""
    if match is None:
        return line
    values = iter(match.groups())

    def value(token: "re.Match[str]") -> str:
        new = next(values)
        return token.group() if token.lastgroup in {"any", "time"} else new

    return _TOKEN.sub(value, line)
