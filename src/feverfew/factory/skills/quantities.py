"""Skills of measure: units, durations, ages, and the direction and size of a change."""

import random
import re
from collections.abc import Iterator

from feverfew.factory.bounds import bounds
from feverfew.factory.skills.base import Example, PageText, context, number_word, silent
from feverfew.factory.statements import MONTHS

_METRES = {
    "km": 1000.0,
    "kilometres": 1000.0,
    "kilometers": 1000.0,
    "m": 1.0,
    "metres": 1.0,
    "meters": 1.0,
    "mi": 1609.34,
    "miles": 1609.34,
    "feet": 0.3048,
    "ft": 0.3048,
}
_SECONDS = {
    "minutes": 60,
    "hours": 3600,
    "days": 86400,
    "weeks": 604800,
}
_YEARS = {"months": 1, "years": 12}
_HEDGED = re.compile(
    r"(?:about|around|approximately|roughly|some|over|under|nearly|almost|than|least|most|up to|to"
    r"|between|and|circa|c\.|every|next|last|first|past|each|by|age of|aged|within|an?|the|\w+'s"
    r"|final|in) ?$",
    re.I,
)
_MEASURE = re.compile(
    rf"(?<![\w$£€.,/–-])(\d[\d,]*(?:\.\d+)?) ({'|'.join((*_METRES, *_SECONDS, *_YEARS))})\b"
    r"(?! (?:to|and|or|per|an? hour|old|of age|ago|\d|later|earlier|before|after|freestyle|relay"
    r"|hurdles|race|sprint|event|dash|backstroke|steeplechase|medley|butterfly|breaststroke|chains"
    r"|at the)\b|[-/²³]| ?-)"
)
_SHARE = re.compile(
    r"(?<![\w.,-])(50|25|75|20|10|33|67)(?:%| percent| per cent) of (?=the |its |all )"
)
_SHARES = {
    "50": "half of ",
    "25": "a quarter of ",
    "75": "three quarters of ",
    "20": "a fifth of ",
    "10": "a tenth of ",
    "33": "about a third of ",
    "67": "about two thirds of ",
}
_MILLIONS = re.compile(r"(?<![\w.,-])([$£€]?)(\d{1,3}(?:\.\d{1,2})?) million\b(?! (?:to|and|or)\b)")


def units(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Say a measured quantity in another unit, rightly and wrongly."""
    for at, claim in page.claims():
        for found in (
            *_MEASURE.finditer(claim),
            *_SHARE.finditer(claim),
            *_MILLIONS.finditer(claim),
        ):
            if _HEDGED.search(claim[: found.start()]) or rng.random() < 0.3:
                continue
            for right in (True, False):
                said = _converted(found, right, rng)
                if said:
                    new = claim[: found.start()] + said + claim[found.end() :]
                    number = re.search(r"\d[\d,.]*\d|\d", found[0])
                    evidence = context(page, at, rng)
                    yield Example(new, evidence, "S" if right else "R")
                    if rng.random() < 0.25 and number:
                        other = silent(page, at, rng, [number[0], found[0].split()[-1]])
                        if other:
                            yield Example(new, other, "N")


def _converted(found: re.Match[str], right: bool, rng: random.Random) -> str:
    if found.re is _SHARE:
        wrong = rng.choice([k for k in _SHARES if abs(int(k) - int(found[1])) > 9])
        return _SHARES[found[1] if right else wrong]
    if found.re is _MILLIONS:
        amount = round(float(found[2]) * 1_000_000)
        wrong_by = rng.choice((0.1, 10, 0.5, 1.5))
        return f"{found[1]}{round(amount if right else amount * wrong_by):,}"
    value, unit = float(found[1].replace(",", "")), found[2]
    if value <= 0:
        return ""
    if unit in _METRES:
        return _length(value, unit, right, rng)
    if unit in _SECONDS:
        return _time(round(value * _SECONDS[unit]), value, unit, right, rng, _SECONDS)
    return _time(round(value * _YEARS[unit]), value, unit, right, rng, _YEARS)


def _length(value: float, unit: str, right: bool, rng: random.Random) -> str:
    metres = value * _METRES[unit]
    metric = unit in ("km", "kilometres", "kilometers", "m", "metres", "meters")
    if metric and rng.random() < 0.5:
        if _METRES[unit] == 1000 and value <= 60:
            exact = f"{round(metres):,} metres"
            return (
                exact if right else rng.choice((f"{metres / 10:,.0f} metres", f"{value:g} metres"))
            )
        if _METRES[unit] == 1 and metres >= 1000 and metres % 100 == 0:
            return f"{metres / 1000:g} km" if right else f"{metres / rng.choice((100, 10000)):g} km"
        return ""
    others = {"km": 1000.0, "miles": 1609.34} if metres >= 1000 else {"metres": 1.0, "feet": 0.3048}
    names = [n for n, size in others.items() if abs(size / _METRES[unit] - 1) > 0.2]
    name = rng.choice(names)
    there = metres / others[name]
    written = f"{there:,.0f}" if there >= 10 else f"{round(there, 1):g}"
    if right:
        return f"{rng.choice(('about', 'around', 'roughly'))} {written} {name}"
    if rng.random() < 0.4:
        return f"{_number(value)} {name}"
    off = there * rng.choice((0.3, 0.5, 2, 3))
    return f"about {off:,.0f} {name}" if off >= 10 else f"about {off:.1f} {name}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"


def _time(
    size: int, value: float, unit: str, right: bool, rng: random.Random, table: dict[str, int]
) -> str:
    choices = []
    for name, length in table.items():
        count = size / length
        if name != unit and count == int(count) and 1 < count <= 100:
            choices.append((name, int(count)))
    for name, length in table.items():
        if name != unit and size * 2 == length * 3:
            return f"one and a half {name}" if right else f"{rng.choice(('three', 'four'))} {name}"
    if not choices:
        return ""
    name, count = rng.choice(choices)
    if right:
        return f"{number_word(count, rng)} {name}"
    if value == int(value) and value > 1 and rng.random() < 0.4:
        return f"{number_word(int(value), rng)} {name}"
    wrong = count + rng.choice((-1, 1)) * max(1, round(count * rng.choice((0.25, 0.5))))
    return f"{number_word(wrong, rng)} {name}" if wrong > 1 else ""


def number_bounds(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Say a number as a bound: more than, at most, before, after."""
    for at, claim in page.claims():
        for bound in bounds(claim, rng):
            evidence = context(page, at, rng)
            yield Example(bound.claim, evidence, "S" if bound.supported else "R")
            if rng.random() < 0.15 and (other := silent(page, at, rng, [bound.number])):
                yield Example(bound.claim, other, "N")


_YEAR = re.compile(r"\d{4}")


def lifespan(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Reckon with dates of birth and death: ages, decades, centuries, who was alive when."""
    said = {s.form: s for at, s in page.statements() if at == 0}
    if "born" not in said or "died" not in said:
        return
    name, first = page.name, page.sentences[0]
    born, died = said["born"].value, said["died"].value
    start, end = (int(_YEAR.findall(value)[0]) for value in (born, died))
    age = _age(born, died)
    if age is None or not 15 < age < 100 or end > 2008:
        return
    evidence = context(page, 0, rng)
    true, false = _life_claims(name, start, end, age, rng)
    for claim in rng.sample(true, 2):
        yield Example(claim, evidence, "S")
    for claim in rng.sample(false, 2):
        yield Example(claim, evidence, "R")
    # With the date of death taken away, nothing is known of the end of the life.
    cut = re.sub(r"\([^()]*\d{4}[^()]*\)", f"(born {born})", first, count=1)
    later = rng.choice([true[0], true[1], true[2], false[0], false[1], false[2]])
    if died not in cut and str(end) not in cut:
        yield Example(later, [(page.title, cut)], "N")


def _life_claims(
    name: str, start: int, end: int, age: int, rng: random.Random
) -> tuple[list[str], list[str]]:
    off = rng.choice((-1, 1)) * rng.randint(3, 25)
    decade, other = start // 10 * 10, (start + rng.choice((-1, 1)) * rng.randint(10, 60)) // 10 * 10
    century = (start - 1) // 100 + 1
    after, before = end + rng.randint(1, 12), start - rng.randint(1, 30)
    inside = rng.randint(start + 1, end - 1)
    few, many = age - rng.randint(1, 9), age + rng.randint(1, 9)
    true = [
        f"{name} died at the age of {age}.",
        f"{name} did not live to see the year {after}.",
        f"{name} was {age} years old at the time of death.",
        f"{name} lived to be {age}.",
        f"{name} died before turning {many}.",
        f"{name} was still alive in {inside}.",
        f"{name} lived for more than {few} years.",
        f"{name} was born in the {decade}s.",
        f"{name} was born in the {century}th century."
        if 16 <= century <= 20
        else f"{name} was not yet born in {before}.",
        f"{name} was not alive in {before}.",
    ]
    false = [
        f"{name} died at the age of {age + off}.",
        f"{name} was still alive in {after}.",
        f"{name} was {age + off} years old at the time of death.",
        f"{name} lived to be {age + off}.",
        f"{name} died before turning {few}.",
        f"{name} was already dead in {inside}.",
        f"{name} lived for more than {many} years.",
        f"{name} was born in the {other}s.",
        f"{name} was born in the {century + rng.choice((-1, 1))}th century."
        if 17 <= century <= 19
        else f"{name} was already alive in {before}.",
        f"{name} was already an adult in {start + rng.randint(1, 12)}.",
    ]
    return true, false


def _age(born: str, died: str) -> int | None:
    parts = []
    for date in (born, died):
        month = next((i for i, m in enumerate(MONTHS) if m in date), None)
        numbers = [int(n) for n in re.findall(r"\d+", date)]
        if month is None or len(numbers) != 2:
            return None
        parts.append((max(numbers), month, min(numbers)))
    (y0, *d0), (y1, *d1) = parts
    return y1 - y0 - (d1 < d0)


_PERIOD = re.compile(r"\bfrom (1[6-9]\d\d|20[01]\d) (?:to|until|till) (1[6-9]\d\d|20[0-2]\d)\b")


def periods(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Say "from 1991 to 1997" as a length, a decade, a beginning or an end."""
    for at, claim in page.claims():
        found = _PERIOD.search(claim)
        if not found or len(_YEAR.findall(claim)) != 2 or re.search(r"\b(?:not|never|no)\b", claim):
            continue
        start, end = int(found[1]), int(found[2])
        length = end - start
        if length < 2:
            continue
        off = rng.choice((-1, 1)) * max(3, round(length * rng.choice((0.5, 0.8))))
        shift = rng.choice((-1, 1) if end < 2008 else (-1,)) * rng.randint(2, 9)
        true = [
            f"for about {number_word(length, rng)} years",
            f"between {start} and {end}",
            f"until {end}",
            f"for less than {number_word(length + rng.randint(2, 5), rng)} years",
        ]
        false = [
            f"until {end + shift}",
            f"from {start + shift} to {end + shift}",
            f"for less than {number_word(max(2, length - rng.randint(0, 3)), rng)} years",
        ]
        if length + off > 1:
            false.append(f"for about {number_word(length + off, rng)} years")
        if start // 10 == end // 10:
            true.append(f"in the {start // 10 * 10}s")
            false.append(f"in the {start // 10 * 10 + rng.choice((-20, -10, 10))}s")
        head, tail = claim[: found.start()], claim[found.end() :]
        evidence = context(page, at, rng)
        for label, said in (("S", rng.choice(true)), ("R", rng.choice(false))):
            yield Example(f"{head}{said}{tail}", evidence, label)
        if other := silent(page, at, rng, [found[1], found[2]]):
            yield Example(f"{head}{rng.choice(true + false)}{tail}", other, "N")


_UP: tuple[str, ...] = ("increased", "rose", "grew", "went up", "climbed")
_DOWN: tuple[str, ...] = ("decreased", "fell", "declined", "dropped", "went down")
_CHANGE = re.compile(
    r"\b(increased|rose|grew|climbed|decreased|fell|declined|dropped)(?= (?:[a-z]+ly )?"
    r"(?:by|from|to) (?:about |some |around |over |nearly |almost |more than |an estimated |just )?"
    r"[$£€]?\d(?![\d,.]*(?:st|nd|rd|th)\b))"
)
_BETWEEN = re.compile(
    r"\bfrom ([$£€]?)(\d[\d,.]*\d|\d)( million| billion|%)? to \1(\d[\d,.]*\d|\d)\3"
)


def change(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Turn a rise into a fall, or say it in another word; reckon how much it was."""
    for at, sentence in enumerate(page.sentences):
        found = _CHANGE.search(sentence)
        if not found or len(sentence) > 200 or len(_CHANGE.findall(sentence)) > 1:
            continue
        up = found[1] in _UP
        evidence = context(page, at, rng)
        head, tail = sentence[: found.start()], sentence[found.end() :]
        if re.search(r"\b(?:he|she|they|who|it|be|been|is|are|was|were|which)(?: \w+ly)? $", head):
            continue
        ups, downs = _UP, _DOWN
        if re.search(r"\b(?:has|have|had|having)(?: \w+ly)? $", head):
            ups, downs = ("increased", "climbed"), ("decreased", "declined", "dropped")
        same = rng.choice([w for w in (ups if up else downs) if w != found[1]])
        yield Example(f"{head}{same}{tail}", evidence, "S")
        yield Example(f"{head}{rng.choice(downs if up else ups)}{tail}", evidence, "R")
        if other := silent(
            page,
            at,
            rng,
            [found[1], "per cent", "percent", "%", "populat", "grow", "increas", "declin"],
        ):
            yield Example(f"{head}{same}{tail}", other, "N")
        if sentence.endswith("."):
            again = rng.choice(("the year after", "in the following year", "soon afterwards"))
            word = rng.choice(_UP + _DOWN)
            yield Example(
                f"{sentence[:-1]}, and {word} further {again}."
                if (word in _UP) == up
                else f"{sentence[:-1]}, but {word} again {again}.",
                evidence,
                "N",
            )
