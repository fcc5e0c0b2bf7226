"""Say in plain words what the common templates show: `{{convert|10|km}}` → `10 km`.

A template not known here shows nothing. `templates.toml` lists templates by what they show, and the
namespaces whose links show nothing.
"""

import re
import tomllib
from collections.abc import Callable
from importlib.resources import files

from msgspec import Struct

from feverfew.readers.mediawiki.runs import GONE, LINK

_TABLES = tomllib.loads(
    files("feverfew.readers.mediawiki").joinpath("templates.toml").read_text("utf-8")
)
_LISTED = {
    name: frozenset(" ".join(listed.split()).split(", "))
    for name, listed in _TABLES.items()
    if isinstance(listed, str)
}
HIDDEN, OTHER, PROJECTS = (_LISTED[name] for name in ("hidden", "other", "projects"))
"""Namespaces and sites whose links show nothing; whose links are words only."""
DISAMBIGUATION = _LISTED["disambiguation"]
_FIXED, _ANSWERS, _UNITS, _RANGES = (
    _TABLES[name] for name in ("fixed", "answers", "units", "ranges")
)


Mark = Callable[[str, str], str]
"""Make a link to a title from its words."""


_EDGES = f" \t\n\xa0{GONE}"
_LONGEST_KEY = 80
_NUMBERS = frozenset(map(str, range(1, 100)))


class Arguments(Struct, frozen=True):
    """A template's name, lower-cased, and what it was given, nested markup resolved."""

    name: str
    positional: tuple[str, ...]
    named: dict[str, str]

    @classmethod
    def read(cls, body: str) -> "Arguments":
        """Read what stands between the braces.

        >>> Arguments.read("Birth date|1890|12|5|df=yes")
        Arguments(name='birth date', positional=('1890', '12', '5'), named={'df': 'yes'})
        """
        name, *parts = _without_tables(body).split("|")
        positional: list[str] = []
        named: dict[str, str] = {}
        for part in parts:
            key, equals, value = part.partition("=")
            if not equals or len(key) > _LONGEST_KEY or LINK in key or "<" in key:
                positional.append(part.strip(_EDGES))
            elif (key := key.strip()) in _NUMBERS and int(key) <= len(positional) + 1:
                positional[int(key) - 1 : int(key)] = [value.strip(_EDGES)]
            else:
                named[key] = value.strip(_EDGES)
        name = " ".join(name.replace("_", " ").split()).lower()
        return cls(name.removeprefix("template:").strip(), tuple(positional), named)

    def get(self, index: int) -> str:
        """Return a positional argument, or nothing."""
        return self.positional[index] if index < len(self.positional) else ""


def _without_tables(body: str) -> str:
    """Cut tables out of a template's arguments: their bars are not the template's."""
    pieces: list[str] = []
    at = 0
    while (start := body.find("{|", at)) >= 0:
        pieces.append(body[at:start])
        end = body.find("\n|}", start)
        at = end + 3 if end >= 0 else len(body)
    pieces.append(body[at:])
    return "".join(pieces)


def is_infobox(name: str) -> bool:
    """Say whether a template is a box of facts about the page."""
    return (
        name.startswith(("infobox", "geobox"))
        or name.endswith(("infobox", "taxobox"))
        or name in _LISTED["boxes"]
    )


def words(arguments: Arguments, mark: Mark) -> str:
    """Return what a template shows; nothing if it is not known."""
    name = arguments.name
    if name in _FIXED:
        return str(_FIXED[name])
    if name in _LISTED["first"]:
        return arguments.get(0)
    if name in _LISTED["second"]:
        return arguments.get(1)
    if name in _LISTED["last"]:
        return arguments.positional[-1] if arguments.positional else ""
    if name in _ANSWERS:
        return arguments.get(0) or str(_ANSWERS[name])
    if name in _LISTED["lists"]:
        return ", ".join(p for p in map(_listed, arguments.positional) if p)
    if name in _LISTED["dates"]:
        return _date(arguments.positional[:3])
    if name in _BY_NAME:
        return _BY_NAME[name](arguments)
    if name in _LINKED:
        return _LINKED[name](arguments, mark)
    if name.startswith("lang-"):
        return arguments.get(0)
    if name.startswith("formatnum:"):
        return name.removeprefix("formatnum:").strip()
    return ""


def _listed(text: str) -> str:
    """Join the bulleted lines of an argument by commas."""
    if "\n" not in text and not text.startswith("*"):
        return text
    return ", ".join(line for raw in text.split("\n") if (line := raw.strip(" *#:\t")))


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def _month(text: str) -> str:
    return _MONTHS[int(text) - 1] if text.lstrip("0") in _NUMBERS and int(text) < 13 else text


def _date(parts: tuple[str, ...]) -> str:
    """Write year, month and day as `5 December 1890`, as far as they are given."""
    year, month, day = (*parts, "", "", "")[:3]
    if not year.strip("-?~ c.").isdecimal():
        return " ".join(part for part in (year, month, day) if part)
    day = day.lstrip("0") if day[:2].isdecimal() else ""
    return " ".join(part for part in (day, _month(month), year) if part)


def _life(arguments: Arguments) -> str:
    """Write a date of death with the age: given are both dates, the later first."""
    died, born = arguments.positional[:3], arguments.positional[3:6]
    numbers = [int(p) for p in (*died, *born) if p.isdecimal() and len(p) < 5]
    shown = _date(died)
    if len(numbers) != 6:
        return shown
    age = numbers[0] - numbers[3] - (tuple(numbers[1:3]) < tuple(numbers[4:6]))
    return f"{shown} (aged {age})" if 0 <= age < 130 else shown


_NUMBER = re.compile(r"[-−+]?[0-9][0-9,.]{0,30}(?:[/⁄e][0-9]+)?")


def _convert(arguments: Arguments) -> str:
    """Write the measure given, without the conversion: `5 ft 11 in`, `10 to 20 km`."""
    given = arguments.positional
    shown = ""
    for index, part in enumerate(given):
        if _NUMBER.fullmatch(part):
            shown += f"{int(part):,}" if part.isdecimal() else part
        elif part in _RANGES and index + 1 < len(given):
            shown += _RANGES[part]
            continue
        elif shown:
            shown += " " + _UNITS.get(part.lower(), part)
            # `5 ft 11 in` goes on; `10 km mi` has named its conversion.
            rest = given[index + 1 : index + 3]
            if len(rest) == 2 and _NUMBER.fullmatch(rest[0]) and rest[1].isalpha():
                shown += " "
                continue
            break
        else:
            shown = part
    return shown


def _film_dates(arguments: Arguments) -> str:
    """Write every date, its place in brackets: year, month, day and place repeat."""
    given = arguments.positional
    shown: list[str] = []
    for start in range(0, len(given), 4):
        if date := _date(given[start : start + 3]):
            place = given[start + 3] if start + 3 < len(given) else ""
            shown.append(f"{date} ({place})" if place else date)
    return ", ".join(shown)


def _fraction(arguments: Arguments) -> str:
    match arguments.positional:
        case (whole, upper, lower, *_):
            return f"{whole} {upper}/{lower}"
        case (upper, lower):
            return f"{upper}/{lower}"
        case (lower,):
            return f"1/{lower}"
    return ""


def _value(arguments: Arguments) -> str:
    shown = arguments.get(0)
    if power := arguments.named.get("e"):
        shown += f" × 10^{power}"
    unit = arguments.named.get("u") or arguments.named.get("ul") or ""
    return f"{shown} {unit}".strip()


def _as_of(arguments: Arguments) -> str:
    start = "as of" if arguments.named.get("lc") else "As of"
    return f"{start} {_date(arguments.positional[:3])}"


def _circa(arguments: Arguments) -> str:
    return "–".join(f"c. {part}" for part in arguments.positional) or "c."


def _nihongo(arguments: Arguments) -> str:
    extra = ", ".join(part for part in arguments.positional[1:3] if part)
    shown = arguments.get(0)
    return f"{shown} ({extra})" if shown and extra else shown or extra


def _marriage(arguments: Arguments) -> str:
    years = "–".join(part for part in arguments.positional[1:3] if part)
    return f"{arguments.get(0)} (m. {years})" if years else arguments.get(0)


def _height(arguments: Arguments) -> str:
    return " ".join(
        f"{arguments.named[unit]} {unit}"
        for unit in ("m", "cm", "ft", "in")
        if arguments.named.get(unit)
    )


def _money(sign: str) -> Callable[[Arguments], str]:
    return lambda arguments: sign + arguments.get(0)


def _reign(arguments: Arguments) -> str:
    return "r. " + "–".join(part for part in arguments.positional[:2] if part)


def _ship(prefix: str) -> Callable[[Arguments, Mark], str]:
    def show(arguments: Arguments, mark: Mark) -> str:
        name, number = arguments.get(0), arguments.get(1)
        title = f"{prefix} {name} ({number})" if number else f"{prefix} {name}"
        return mark(title, f"{prefix} {name}") if name else ""

    return show


def _link_first(arguments: Arguments, mark: Mark) -> str:
    target = arguments.get(0)
    if not target or LINK in target:
        return target
    return mark(target, arguments.named.get("name") or target)


def _sort_name(arguments: Arguments, mark: Mark) -> str:
    name = f"{arguments.get(0)} {arguments.get(1)}".strip()
    if not name or arguments.named.get("nolink") or LINK in name:
        return name
    target = arguments.get(2) or name
    if dab := arguments.named.get("dab"):
        target = f"{name} ({dab})"
    return mark(target, name)


def _interlanguage(arguments: Arguments, mark: Mark) -> str:
    target = arguments.get(0)
    return mark(target, arguments.named.get("lt") or target) if target else ""


_BY_NAME: dict[str, Callable[[Arguments], str]] = {
    "convert": _convert, "cvt": _convert, "death date and age": _life, "dda": _life,
    "film date": _film_dates, "television date": _film_dates, "frac": _fraction,
    "fraction": _fraction, "sfrac": _fraction, "val": _value, "as of": _as_of, "asof": _as_of,
    "circa": _circa, "c.": _circa, "ca.": _circa, "nihongo": _nihongo, "nihongo3": _nihongo,
    "marriage": _marriage, "height": _height, "us$": _money("US$"), "usd": _money("US$"),
    "gbp": _money("£"), "£": _money("£"), "€": _money("€"), "euro": _money("€"),
    "inr": _money("₹"), "inrconvert": _money("₹"), "reign": _reign, "r.": _reign,
    "death year and age": lambda a: a.get(0), "floruit": lambda a: f"fl. {a.get(0)}".strip(),
    "fl.": lambda a: f"fl. {a.get(0)}".strip(), "born": lambda a: f"born {a.get(0)}",
    "gaps": lambda a: " ".join(a.positional), "nuclide2": lambda a: f"{a.get(0)}-{a.get(1)}",
    "simplenuclide2": lambda a: f"{a.get(0)}-{a.get(1)}", "e": lambda a: f" × 10^{a.get(0)}",
    "chem": lambda a: "".join(a.positional), "chem2": lambda a: "".join(a.positional),
    "coord": lambda a: "", "angle bracket": lambda a: f"⟨{a.get(0)}⟩",
    "angbr": lambda a: f"⟨{a.get(0)}⟩", "url": lambda a: a.get(1) or a.get(0),
    "age": lambda a: "", "sic": lambda a: "".join(a.positional[:2]),
}  # fmt: skip
_LINKED: dict[str, Callable[[Arguments, Mark], str]] = {
    "flag": _link_first, "flagcountry": _link_first, "flagu": _link_first, "flagg": _link_first,
    "flagdeco": lambda a, mark: "", "noflag": _link_first, "sortname": _sort_name,
    "ill": _interlanguage, "interlanguage link": _interlanguage, "illm": _interlanguage,
    "uss": _ship("USS"), "hms": _ship("HMS"), "ss": _ship("SS"), "rms": _ship("RMS"),
    "station": _link_first, "stn": _link_first,
}  # fmt: skip
