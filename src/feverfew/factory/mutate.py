"""Make labelled claims out of true sentences, by the kinds of mutation that FEVER's authors used.

A statement taken from a sentence is supported by it; so are its paraphrases, and what is more
general. Another date, number, name or kind, an antonym or a negation refutes it, and is made only
where no second value can be true as well. What adds something the sentence does not say is open.
"""

import random
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from feverfew.factory.forms import (
    DENIED,
    FORMS,
    another_date,
    another_name,
    another_number,
    decade,
    fill,
    more,
    year_of,
)
from feverfew.factory.statements import Statement, nationality, statements
from feverfew.factory.words import ADDITIONS, ANTONYMS, CONTINENTS, KINDS, PEOPLES
from feverfew.types import Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO


class Mutation(Struct, frozen=True):
    """A claim made from a sentence, and what that sentence says of it."""

    kind: str
    """statement, paraphrase, general, specific, entity, number, date, negation or antonym; or
    unsaid: worded as statements are, about what the sentence does not speak of."""
    claim: str
    label: Verdict


_LATEST = 2019
"""A year that no page is too old to know of, and none too new."""
_DATED = ("born", "died", "released", "founded")
# What happens once, so that another year is wrong.
_ONCE = re.compile(
    r"^was (?:\w+ly )?(?:inducted|built|elected|named|appointed|established|ordained|knighted"
    r"|listed|promoted|commissioned|launched|completed|abolished|renamed|drafted|opened|dissolved"
    r"|killed|added|designed|created|introduced|inaugurated|consecrated|demolished)\b.* in (\d{4})$"
)
_COUNT = re.compile(r"\b(two|three|four|five|six|seven|eight|nine|ten|\d{1,3})(?= [a-z]+s\b)")
# Denying the first half of "is used for football and serves as …" would leave the second.
_TWOFOLD = re.compile(r"\b(?:and|but) (?:is|was|has|had|[a-z]+ed|[a-z]+s)\b|, ")


class Mutator:
    """Makes mutations; the same seed gives the same ones, in whatever order it is asked."""

    def __init__(self, people: Sequence[str], places: Sequence[str], seed: int) -> None:
        self._people = people
        self._places = places
        self._seed = seed

    def mutate(self, sentence: str, title: str) -> list[Mutation]:
        """Make every mutation of a sentence, one of each kind for each thing it says."""
        rng = random.Random(f"{self._seed}\t{title}\t{sentence}")
        made: list[Mutation] = []
        for statement in statements(sentence, title):
            match statement.form:
                case "is_a":
                    made += self._is_a(statement, sentence, rng)
                case "whole":
                    made += self._whole(statement, rng)
                case _:
                    made += self._simple(statement, sentence, rng)
        clean = {m.claim: m for m in made if m.claim}
        return [Mutation(m.kind, m.claim[0].upper() + m.claim[1:], m.label) for m in clean.values()]

    def _simple(self, said: Statement, sentence: str, rng: random.Random) -> Iterator[Mutation]:
        form = FORMS[said.form]
        yield Mutation("statement", fill(form.plain, said, said.value), S)
        yield Mutation("paraphrase", fill(rng.choice(form.otherwise), said, said.value), S)
        yield Mutation("negation", fill(form.denied, said, said.value), R)
        kind, wrong = self._other(said, sentence, rng)
        if wrong:
            yield Mutation(
                kind, fill(rng.choice((form.plain, form.plain, *form.otherwise)), said, wrong), R
            )
            yield Mutation("negation", fill(form.denied, said, wrong), S)
        if said.form in _DATED:
            yield from _wider_dates(said, rng)
        elif said.form == "located":
            yield Mutation("general", f"{said.subject} is in {CONTINENTS[said.value]}.", S)
        if added := self._addition(said.family, sentence, rng):
            base = fill(form.plain, said, said.value)[:-1]
            yield Mutation("specific", f"{base} and {added}.", N)

    def _other(self, said: Statement, sentence: str, rng: random.Random) -> tuple[str, str]:
        """Choose another value of the same sort, and name the kind of mutation."""
        if said.form in _DATED:
            return "date", another_date(said.value, rng)
        if said.form == "population":
            return "number", another_number(said.value, rng)
        if said.form == "located":
            land = rng.choice([c for c in CONTINENTS if c not in sentence])
            return "entity", land
        names = self._places if said.form == "born_in" else self._people
        return "entity", another_name(said.value, names, rng, sentence)

    def _is_a(self, said: Statement, sentence: str, rng: random.Random) -> Iterator[Mutation]:
        x, phrase, kind = said.subject, said.value, KINDS[said.head]
        verb, _, np = phrase.partition(" ")
        yield Mutation("statement", f"{x} {phrase}.", S)
        yield Mutation("negation", f"{x} {DENIED[verb]} {np}.", R)
        yield Mutation("general", f"{x} {verb} {kind.general}.", S)
        people = nationality(sentence)
        if people and people in np:
            without = _with_article(" ".join(np.split(" ", 1)[1:]).replace(f"{people} ", ""))
            yield Mutation("general", f"{x} {verb} {without}.", S)
            other = rng.choice([p for p in PEOPLES if p not in sentence])
            changed = _with_article(np.split(" ", 1)[1].replace(people, other))
            yield Mutation("entity", f"{x} {verb} {changed}.", R)
        wrong = self._other_kind(said, sentence, rng)
        if wrong:
            yield Mutation("entity", f"{x} {verb} {wrong}.", R)
            yield Mutation("negation", f"{x} {DENIED[verb]} {wrong}.", S)
        year = re.search(r"\b(1[89]|20)\d\d\b", np)
        if year and kind.family == "work":
            yield Mutation(
                "date", f"{x} {verb} {np.replace(year[0], another_date(year[0], rng))}.", R
            )
            yield Mutation("paraphrase", f"{x} came out in {year[0]}.", S)
            yield Mutation("general", f"{x} came out in the {decade(year[0])}.", S)
        yield from _antonyms(x, phrase)
        yield from self._unsaid(said, sentence, rng)
        if added := self._addition(kind.family, sentence, rng):
            pronoun = "who" if kind.family == "person" else "that"
            yield Mutation("specific", f"{x} {phrase} {pronoun} {added}.", N)
        if added := self._addition(kind.family, sentence, rng):
            yield Mutation("specific", f"{x} {added}.", N)

    def _unsaid(self, said: Statement, sentence: str, rng: random.Random) -> Iterator[Mutation]:
        """Say something in the form of a statement that the sentence leaves open."""
        silent = not re.search(r"\d", sentence)
        year = str(rng.randint(1950, 1995) if said.family == "person" else rng.randint(1985, 2014))
        place = another_name("A", self._places, rng, sentence)
        person = another_name("A B", self._people, rng, sentence)
        forms = {
            ("person", "born_in", place): not re.search(
                r"\bborn in\b|\d ?,? in |,.*[-–]", sentence
            ),
            ("person", "born", year): silent,
            ("person", "died", year): silent and said.value.startswith("was"),
            ("work", "released", year): silent,
            ("work", "made", person): " by " not in sentence and said.head in ("film", "novel"),
            ("place", "population", f"{rng.randint(210, 60_000):,}"): (
                KINDS[said.head].field == "settlement" and "population" not in sentence
            ),
            ("group", "founded", year): silent,
        }
        made = {"film": "directed", "novel": "written"}.get(said.head, "founded")
        for (family, form, value), fits in forms.items():
            if family == said.family and fits and value:
                about = Statement(form, said.subject, value, family, made)
                ways = (FORMS[form].plain, FORMS[form].plain, *FORMS[form].otherwise)
                yield Mutation("unsaid", fill(rng.choice(ways), about, value), N)

    def _other_kind(self, said: Statement, sentence: str, rng: random.Random) -> str:
        kind, low = KINDS[said.head], sentence.lower()
        near = [
            name
            for name, other in KINDS.items()
            if other.family == kind.family and other.field != kind.field
        ]
        fields = {KINDS[name].field for name in near if re.search(rf"\b{name.lower()}", low)}
        free = [name for name in near if KINDS[name].field not in fields]
        # A person may do much: only a life that seems to leave no room for the other is refuted.
        if not free or (kind.family == "person" and fields):
            return ""
        other = rng.choice(free)
        article, _, rest = said.value.split(" ", 1)[1].partition(" ")
        kept = nationality(rest)
        return _with_article(f"{kept} {other}" if kept and article else other)

    def _whole(self, said: Statement, rng: random.Random) -> Iterator[Mutation]:
        x, rest = said.subject, said.value
        yield Mutation("statement", f"{x} {rest}.", S)
        verb, _, after = rest.partition(" ")
        unsure = re.match(r"(?:not|never|only|one of|the only)\b", after) or _TWOFOLD.search(after)
        if verb in DENIED and not unsure:
            yield Mutation("negation", f"{x} {DENIED[verb]} {after}.", R)
        if (once := _ONCE.search(rest)) is not None and rest.count(once[1]) == 1:
            other = another_date(once[1], rng)
            yield Mutation("date", f"{x} {rest.replace(once[1], other)}.", R)
        counts = _COUNT.findall(rest)
        if len(counts) == 1 and verb in ("has", "had", "won", "scored"):
            yield Mutation("number", f"{x} {_COUNT.sub(more(counts[0], rng), rest)}.", R)
        yield from _antonyms(x, rest)

    def _addition(self, family: str, sentence: str, rng: random.Random) -> str:
        if family not in ADDITIONS or not self._people or not self._places:
            return ""
        lands = [land for land in CONTINENTS if land not in sentence]
        years = [int(year) for year in re.findall(r"\b[12]\d{3}\b", sentence)]
        return rng.choice(ADDITIONS[family]).format(
            person=another_name("A B", self._people, rng, sentence),
            place=another_name("A", self._places, rng, sentence),
            land=rng.choice(lands),
            year=min(max(years, default=1950) + rng.randint(1, 9), _LATEST),
        )


def _wider_dates(said: Statement, rng: random.Random) -> Iterator[Mutation]:
    plain = FORMS[said.form].plain
    year = year_of(said.value)
    step = rng.randint(1, 12)
    wider = [f"in the {decade(said.value)}", f"before {year + step}", f"after {year - step}"]
    if said.value != str(year):
        wider += [f"in {year}"] * 2
    false = [
        f"before {year - step + 1}",
        f"after {year + step - 1}",
        f"in the {decade(str(year + 20))}",
    ]
    for kind, chosen, label in (("general", wider, S), ("date", false, R)):
        text = plain.replace("{v}", rng.choice(chosen))
        yield Mutation(kind, text.format(x=said.subject, h=said.head), label)


def _antonyms(subject: str, phrase: str) -> Iterator[Mutation]:
    for word, other in ANTONYMS.items():
        changed, count = re.subn(rf"\b{word}\b", other, phrase)
        if count == 1:
            yield Mutation("antonym", f"{subject} {_articles(changed)}.", R)
            return


def _articles(phrase: str) -> str:
    """Right the articles of a phrase in which a word was changed."""
    return re.sub(r"\ban? (?=(\w))", lambda m: "an " if m[1] in "aeio" else "a ", phrase, count=1)


def _with_article(phrase: str) -> str:
    vowel = phrase[:1].lower() in "aeio" or phrase.startswith("Ukrain") or phrase == "EP"
    return f"{'an' if vowel else 'a'} {phrase}"
