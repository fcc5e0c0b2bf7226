"""How statements are worded: other values of the same sort, paraphrases and denials."""

import random
import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files

import msgspec
from msgspec import Struct

from feverfew.factory.statements import MONTHS, Statement

_TRIED = 12
"""Names to look at before one is taken: some fit better than others."""
_TABLES = tomllib.loads(files("feverfew.factory").joinpath("forms.toml").read_text("utf-8"))
_COUNTS: list[str] = _TABLES["counts"].split()
_YEAR = re.compile(r"\b\d{4}\b")


def year_of(date: str) -> int:
    """Return the year of a date as it is written."""
    found = _YEAR.search(date)
    return int(found[0]) if found else 0


def when(date: str) -> str:
    """Put the right word before a date: 'on 2 May 1890', 'in 1890'."""
    return f"{'on' if re.search(r'[a-z] [0-9]{1,2},|^[0-9]{1,2} ', date) else 'in'} {date}"


def decade(date: str) -> str:
    """Name the decade of a date: '2 May 1894' → '1890s'."""
    return f"{year_of(date) // 10}0s"


def another_date(date: str, rng: random.Random) -> str:
    """Change the year, the month or the day of a date, written as before."""
    month = next((m for m in MONTHS if m in date), "")
    choice = rng.random()
    if month and choice < 0.25:
        return date.replace(month, rng.choice([m for m in MONTHS if m != month]))
    day = re.search(r"\b\d{1,2}\b", date)
    if day and choice < 0.4:
        days = [n for n in range(1, 29) if n != int(day[0])]
        return date[: day.start()] + str(rng.choice(days)) + date[day.end() :]
    year = year_of(date)
    step = rng.choice((1, 2, 3, 4, 5, 7, 10, 12, 20, 30, 50, 100))
    sign = -1 if year + step > 2020 else rng.choice((-1, 1))
    return date.replace(str(year), str(year + sign * step))


def another_number(number: str, rng: random.Random) -> str:
    """Change a number by far more than rounding would, keeping its commas."""
    value = int(number.replace(",", ""))
    factor = rng.choice((0.1, 0.3, 0.5, 0.7, 1.4, 1.9, 2.6, 5.0, 10.0))
    changed = max(1, round(value * factor))
    if changed == value:
        changed = value + 3
    return f"{changed:,}" if "," in number or changed > 9999 else str(changed)


def more(count: str, rng: random.Random) -> str:
    """Take a higher count: whoever won three medals did not win five."""
    if count.isdecimal():
        return str(int(count) + rng.choice((2, 3, 5, 8, 20)))
    return rng.choice(_COUNTS[_COUNTS.index(count) + 1 :])


def another_name(name: str, names: Sequence[str], rng: random.Random, beside: str) -> str:
    """Take another name, of as many words if there is one, that shares no word with `beside`."""
    taken = set(re.findall(r"\w+", beside))
    free = [n for n in rng.sample(names, min(_TRIED, len(names))) if not taken & set(n.split())]
    same = [n for n in free if len(n.split()) == len(name.split())]
    return next(iter(same or free), "")


class Form(Struct, frozen=True):
    """Sentences of one meaning: {x} is the subject, {d} the value, {v} the value with "in" or "on".

    {h} is what was done ('directed'), {p} the same as what someone did ('wrote' for 'written').
    """

    plain: str
    otherwise: tuple[str, ...]
    denied: str


FORMS = msgspec.convert(_TABLES["forms"], dict[str, Form])
DENIED: dict[str, str] = _TABLES["denied"]
"""Verbs that a sentence begins with, and how each is denied."""
_DID = {"written": "wrote"}


def fill(form: str, said: Statement, value: str) -> str:
    """Write a sentence about a statement's subject, with this value in place of its own."""
    did = _DID.get(said.head, said.head)
    return form.format(x=said.subject, d=value, v=when(value), h=said.head, p=did)
