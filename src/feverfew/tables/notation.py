"""How a table writes its numbers and dates: decimal commas, the order of day and month, units in
headers. One cell alone does not say it, the table does.

Cells keep their text; what is made plain here is only what their values are read from.
"""

import re
from collections.abc import Iterable, Sequence

from feverfew.english.numbers import CURRENCY_WORDS, UNITS

__all__ = ["has_decimal_commas", "header_unit", "plain_column"]

_NUMERIC = re.compile(
    r"[-+(]?\s?[$€£¥]?\s?\d[\d.,' \u00a0\u202f]*\)?\s?(?:[%€$£¥]|[a-z]{1,3}\.?)?", re.I
)
_COMMA = re.compile(r"\d\.\d{3}(?:\.\d{3})*,\d|^\D*\d+,(?:\d{1,2}|\d{4,})\D*$")
"""1.204,50 and 12,5: no English number."""
_POINT = re.compile(r"\d,\d{3}(?:,\d{3})*\.\d|^\D*\d+\.(?:\d{1,2}|\d{4,})\D*$|\d(?:,\d{3}){2}")
_GROUP = re.compile(r"(?<=\d)'(?=\d{3}(?!\d))")
_LOSS = re.compile(r"\(\s?([$€£¥]?\s?\d[\d.,' ]*)\)")
_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
_UNIT = re.compile(r"[\[(]([^\])]+)[\])]\s*$|[,;]\s*([^,;]+)$|\bin\s+(.+)$")
_WORD = re.compile(r"[a-z]+|[%$€£¥₹]|0{3}s?")
_SCALES = {
    **dict.fromkeys(("thousand", "thousands", "k", "000", "000s", "tsd"), 1e3),
    **dict.fromkeys(("million", "millions", "mn", "mio", "m"), 1e6),
    **dict.fromkeys(("billion", "billions", "bn", "mrd"), 1e9),
}
_FILLERS = frozenset({"of", "in"})


def has_decimal_commas(texts: Iterable[str]) -> bool:
    """Say whether numbers are written as 1.204,50: some are, and none as 1,204.50.

    >>> has_decimal_commas(["1.204,50", "1.204"]), has_decimal_commas(["1,204", "12.5"])
    (True, False)
    """
    found = False
    for text in texts:
        if "," in text or "." in text:
            said = text.strip()
            if not _NUMERIC.fullmatch(said):
                continue
            if _POINT.search(said):
                return False
            found = found or bool(_COMMA.search(said))
    return found


def plain_column(texts: Sequence[str], *, commas: bool) -> Sequence[str]:
    """Write the numbers and dates of a column so that each can be read alone.

    >>> plain_column(["1.204,50", "12"], commas=True), plain_column(["(1'204)"], commas=False)
    (['1204.50', '12'], ['-1204'])
    >>> plain_column(["31/12/2023", "03/04/2023"], commas=False)
    ['2023-12-31', '2023-04-03']
    """
    if not any(sign in text for text in texts for sign in ",.'(/-"):
        return texts
    day_first = _day_first(texts)
    return [_plain(text, commas, day_first) for text in texts]


def _plain(text: str, commas: bool, day_first: bool | None) -> str:
    said = text.strip()
    if day_first is not None and (date := _DATE.match(said)):
        day, month = (date[1], date[3]) if day_first else (date[3], date[1])
        return f"{date[4]}-{int(month):02}-{int(day):02}{said[date.end() :]}"
    said = _LOSS.sub(r"-\1", said) if _LOSS.fullmatch(said) else text
    said = _GROUP.sub("", said)
    if commas and _NUMERIC.fullmatch(said.strip()):
        said = said.replace(".", "").replace(",", ".")
    return said


def _day_first(texts: Sequence[str]) -> bool | None:
    """Say in which order a column writes dates; None if nothing tells."""
    found = [date for text in texts if (date := _DATE.match(text.strip()))]
    if any(int(date[1]) > 12 for date in found):
        return True
    if any(int(date[3]) > 12 for date in found):
        return False
    # Points are used where the day comes first.
    return True if found and all(date[2] == "." for date in found) else None


def header_unit(header: str) -> tuple[str, float]:
    """Read what a column's numbers measure, and in which unit, from its header.

    >>> header_unit("Revenue (EUR million)"), header_unit("Length, km"), header_unit("Name (long)")
    (('euros', 1000000.0), ('length', 1000.0), ('', 1.0))
    """
    said = _UNIT.search(header.strip().lower())
    if said is None:
        return "", 1.0
    measure, factor = "", 1.0
    words = _WORD.findall(next(filter(None, said.groups())))
    for word in words:
        if word in CURRENCY_WORDS:
            measure = CURRENCY_WORDS[word]
        elif word in UNITS and not (word == "m" and len(words) > 1):
            measure, own = UNITS[word]
            factor *= own
        elif word in _SCALES:
            factor *= _SCALES[word]
        elif word not in _FILLERS:
            return "", 1.0
    return (measure, factor) if measure else ("", 1.0)
