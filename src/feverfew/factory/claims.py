"""Say facts as claims: supported, refuted and open, in the same words for every label.

A form is a way to say one relation. Each form is filled with the value that the page states
(supported), with another subject's value (refuted), and, about a page that is silent of it, with
any subject's value (open). The words of a claim therefore tell nothing of its label.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from feverfew.factory.facts import LANDS, RELATIONS, Fact, Subject
from feverfew.factory.forms import decade, when, year_of
from feverfew.rules.mutations import changed_spans
from feverfew.types import Ref, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO
LABELS = (S, R, N)
_TRIED = 40
"""Values to look at before one that fits is given up."""
_LEAST = 8
"""Values of which a claim that is open is drawn: of fewer, each would come to mean that."""
_NEAR = (0.75, 1.35)
"""A number within this of another may be the same one, rounded or of another year."""
_ARTICLE = frozenset(
    ("United States", "United Kingdom", "Philippines", "Netherlands", "Czech Republic",
     "Dominican Republic", "Bronx", "Hague")
)  # fmt: skip

_VERBS = {
    "was": ("were", "was", "were"),
    "is": ("are", "was", "were"),
    "has": ("have", "had", "had"),
    "does": ("do", "did", "did"),
    "flows": ("flow", "flowed", "flowed"),
    "can": ("can", "could", "could"),
}
"""Verbs of the sentences, and as plurals, of the past, and both."""
_VERB = re.compile(rf"(^|\{{x\}} )({'|'.join(_VERBS)})\b")

_VERBAL = ("opened", "founded")
"""Relations whose verb is the sentence's own, and goes with its own sort of dates."""


class Form(Struct, frozen=True, order=True):
    """A way to say a relation: one of its sentences, or a clause behind what the subject is."""

    relation: str
    manner: str
    """says, denies, wider, specific, or joined to another relation."""
    place: int = 0
    beside: str = ""
    """Of joined: the relation that comes first."""
    verb: str = ""


class Drafted(Struct, frozen=True, kw_only=True):
    """A claim with its label by construction, and where it comes from."""

    text: str
    label: Verdict
    page: str
    evidence: tuple[tuple[Ref, ...], ...]
    operation: str
    """original, or the mutation's name in `rules.mutations`."""
    parent: str
    """The claim that was mutated."""
    changed: tuple[tuple[int, int], ...]
    form: str
    source: Ref
    hops: int | None = None
    group: str = ""
    """What a split keeps together."""
    challenge: str = ""
    kind: str = ""
    """The claim's type, where the data set has types: I, II or III."""
    graph: str = ""
    """The shape of its pages, where there are several."""


class Values:
    """The values that all subjects have, by relation and sort: what a wrong value is drawn from."""

    def __init__(self, subjects: Iterable[Subject]) -> None:
        self._by_sort: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._verbs: dict[str, list[str]] = defaultdict(list)
        for subject in subjects:
            for fact in subject.facts:
                self._by_sort[fact.relation, sort_of(fact, subject)].append(fact.value)
                self._verbs[fact.relation].append(fact.verb)

    def other(self, fact: Fact, subject: Subject, rng: random.Random) -> str:
        """Draw a value that the subject does not have; "" if none is found."""
        pool = self._by_sort.get((fact.relation, sort_of(fact, subject)), [])
        for _ in range(_TRIED if pool else 0):
            value = rng.choice(pool)
            if differs(fact, value) and value not in subject.text and value not in subject.name:
                return value
        return ""

    def any(self, fact: Fact, subject: Subject, rng: random.Random) -> str:
        """Draw a value for a subject whose page is silent of it."""
        relation = fact.relation
        sorts = sorted(
            key for key in self._by_sort if key[0] == relation and _fits(key[1], fact, subject)
        )
        sizes = [len(self._by_sort[key]) for key in sorts]
        if sum(sizes) < _LEAST:
            return ""
        for _ in range(_TRIED if sorts else 0):
            value = rng.choice(self._by_sort[rng.choices(sorts, sizes)[0]])
            if (
                value not in subject.text
                and value not in subject.name
                and _may_be(value, relation, subject)
            ):
                return value
        return ""

    def verbs(self, relation: str) -> list[str]:
        """Return the verbs that sentences had for a relation, as often as they had them."""
        return self._verbs[relation]


def sort_of(fact: Fact, subject: Subject) -> str:
    """Name what a value can be exchanged within: dates of one precision, towns, countries."""
    kind = RELATIONS[fact.relation].type
    if kind == "date":
        verb = fact.verb if fact.relation in _VERBAL else ""
        return f"{verb} {when(fact.value)[:2]} {len(fact.value.split())} {_tense(subject)}"
    if kind == "place":
        return LANDS.get(fact.value, "town")
    return "one" if kind == "word" else subject.noun


def _may_be(value: str, relation: str, subject: Subject) -> bool:
    """Say whether a date can be true beside the years that the page has: nobody acts unborn."""
    years = [int(year) for year in re.findall(r"\b1[5-9]\d\d\b|\b20[0-2]\d\b", subject.text)]
    if RELATIONS[relation].type != "date" or not years:
        return True
    year = year_of(value)
    if relation == "died":
        return max(years) < year < min(years) + 60
    return max(years) - 70 < year < min(years) - 15


def _tense(subject: Subject) -> str:
    return "past" if subject.past else "present"


def _fits(sort: str, fact: Fact, subject: Subject) -> bool:
    kind = RELATIONS[fact.relation].type
    if kind in ("name", "number"):
        return sort == subject.noun
    verb = fact.verb if fact.relation in _VERBAL else ""
    return kind != "date" or (sort.startswith(f"{verb} ") and sort.endswith(_tense(subject)))


def differs(fact: Fact, value: str) -> bool:
    """Say whether a value is surely another: no rounding, no part of the same name or date."""
    kind = RELATIONS[fact.relation].type
    if kind == "date":
        return year_of(value) != year_of(fact.value)
    if kind == "number":
        ratio = _number(value) / _number(fact.value)
        return not _NEAR[0] < ratio < _NEAR[1]
    return not set(re.findall(r"\w+", value.lower())) & set(re.findall(r"\w+", fact.value.lower()))


def _number(value: str) -> int:
    return max(1, int(value.replace(",", "")))


def forms_of(subject: Subject, fact: Fact) -> Iterator[Form]:
    """Yield the forms in which a subject's fact, or what it is silent of, can be said."""
    relation = RELATIONS[fact.relation]
    key = " ".join(fact.verb.split()[:2])
    for manner, sentences in (("says", relation.says), ("denies", relation.denies)):
        for place in range(len(sentences)):
            yield Form(fact.relation, manner, place, verb=key)
    if relation.type in ("date", "number"):
        for place in range(len(relation.wider)):
            yield Form(fact.relation, "wider", place, verb=key)
    if subject.what:
        yield Form(fact.relation, "specific", verb=key)
    for other in subject.facts:
        if other.relation != fact.relation and not _spoils(other, fact):
            yield Form(fact.relation, "joined", beside=other.relation, verb=key)


def _spoils(first: Fact, second: Fact) -> bool:
    """Say whether two facts read badly together: 'who was born in Linz, was born in 1990'."""
    both = {first.relation, second.relation}
    return both in ({"born", "born_in"}, {"founded", "founder"}, {"released", "premiered"})


class Writer:
    """Writes claims about subjects; what it draws follows from its seed and the claim's place."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def write(
        self, subject: Subject, fact: Fact, form: Form, label: Verdict, rng: random.Random
    ) -> Drafted | None:
        """Write one claim; `fact` has no value where the page is silent of it."""
        relation, true = RELATIONS[form.relation], fact.value
        if label is N:
            wrong = self._values.any(fact, subject, rng)
            true = wrong
        else:
            wrong = self._values.other(fact, subject, rng)
        if not wrong:
            return None
        denied = form.manner == "denies"
        value = true if (label is not R) != denied or label is N else wrong
        say = _Sayer(subject, fact.verb or _verb(form.relation, subject))
        plain = say.sentence(relation.says[0], value)
        truth = say.sentence(relation.says[0], true)
        match form.manner:
            case "says":
                text = say.sentence(relation.says[form.place], value)
                operation, parent = _said(form, label, truth, say.what)
            case "denies":
                text = say.sentence(relation.denies[form.place], value)
                operation, parent = "negate", plain
            case "wider":
                text = say.wider(relation.wider[form.place], true, wrong, label, rng)
                operation, parent = "general", plain if label is not R else truth
            case "specific":
                pronoun = "who" if subject.family == "person" else "that"
                clause = say.phrase(relation.clause, value)
                text = say.sentence(f"{{x}} {subject.what} {pronoun} {clause}.", "")
                operation, parent = "specific", say.what
            case _:
                first = next(f for f in subject.facts if f.relation == form.beside)
                other = _Sayer(subject, first.verb)
                pronoun = "who" if subject.family == "person" else "which"
                clause = other.phrase(RELATIONS[form.beside].clause, first.value)
                rest = say.phrase(relation.clause, value)
                text = say.sentence(f"{{x}}, {pronoun} {clause}, {rest}.", "")
                parent = other.sentence(RELATIONS[form.beside].says[0], first.value)
                operation = "specific"
        if not text or (text == parent and operation != "original"):
            return None
        return Drafted(
            text=text,
            label=label,
            page=subject.title,
            evidence=() if label is N else (_evidence(subject, fact, form),),
            operation=operation,
            parent="" if operation == "original" else parent,
            changed=() if operation == "original" else tuple(changed_spans(parent, text)),
            form=f"{form.relation} {form.manner} {form.place} {form.beside}".strip(),
            source=Ref.sentence(subject.title, subject.index if label is N else fact.index),
            group=subject.title,
        )


def _said(form: Form, label: Verdict, truth: str, what: str) -> tuple[str, str]:
    if label is S:
        return ("rephrase", truth) if form.place else ("original", "")
    return ("substitute-similar", truth) if label is R else ("substitute-dissimilar", what)


def _verb(relation: str, subject: Subject) -> str:
    own = RELATIONS[relation]
    return own.verb_past if own.verb_past and subject.past else own.verb


def _evidence(subject: Subject, fact: Fact, form: Form) -> tuple[Ref, ...]:
    lines = {fact.index}
    if form.manner == "specific":
        lines.add(subject.index)
    elif form.manner == "joined":
        lines.add(next(f.index for f in subject.facts if f.relation == form.beside))
    return tuple(Ref.sentence(subject.title, line) for line in sorted(lines))


def named(text: str, mark: str, name: str) -> str:
    """Put a name where its mark stands, with the comma that 'Linz, Ohio' asks for.

    >>> named("<0> is in Ohio.", "<0>", "Linz, Ohio"), named("It is <0>'s.", "<0>", "the Ross")
    ('Linz, Ohio, is in Ohio.', "It is the Ross'.")
    """
    comma = "," if "," in name else ""
    text = text.replace(f"{mark}'s", f"{name}'" if name.endswith("s") else f"{name}'s")
    text = text.replace(f"{mark} ", f"{name}{comma} ")
    return text.replace(mark, name).replace(",,", ",")


def agreeing(form: str, subject: Subject) -> str:
    """Put a sentence's verb into the number and the time of its subject."""
    inflected = subject.plural + 2 * subject.past - 1
    if inflected < 0:
        return form
    return _VERB.sub(lambda found: found[1] + _VERBS[found[2]][inflected], form)


def order_of(fact: Fact) -> int:
    """Return what facts of one relation are compared by: a year, or a number."""
    return _number(fact.value) if RELATIONS[fact.relation].type == "number" else year_of(fact.value)


class _Sayer:
    """Fills the sentences of relations for one subject."""

    def __init__(self, subject: Subject, verb: str) -> None:
        self._subject, self._verb = subject, verb
        self.what = self.sentence("{x} " + (subject.what or "has a page") + ".", "")

    def phrase(self, form: str, value: str) -> str:
        said = f"the {value}" if value in _ARTICLE and "the {v}" not in form else value
        form = agreeing(form, self._subject)
        return form.format(x="{x}", v=said, when=when(value), h=self._verb)

    def sentence(self, form: str, value: str) -> str:
        return self.finish(self.phrase(form, value))

    def finish(self, text: str) -> str:
        text = named(text, "{x}", self._subject.name)
        return text[0].upper() + text[1:]

    def wider(self, form: str, true: str, wrong: str, label: Verdict, rng: random.Random) -> str:
        """Say less than the value: its decade, or a bound that it keeps (or breaks)."""
        value = true if label is not R else wrong
        if "{decade}" in form:
            if decade(value).endswith("00s") or (label is R and decade(true) == decade(wrong)):
                return ""  # "the 1900s" may be a century
            return self.finish(form.format(x="{x}", decade=f"{decade(value)}", h=self._verb))
        kept = label is S or (label is N and rng.random() < 0.5)
        return self.finish(form.format(x="{x}", bound=_bound(true, kept, rng), h=self._verb))


def _bound(value: str, kept: bool, rng: random.Random) -> str:
    above = rng.random() < 0.5
    if re.fullmatch(r"[\d,]+", value) and (len(value) > 4 or "," in value or len(value) < 4):
        number = _number(value)
        # "more than" what is below it holds, and "fewer than" does not.
        factor = rng.uniform(0.4, 0.85) if above == kept else rng.uniform(1.2, 2.2)
        step = 10 ** max(0, len(str(number)) - 2)
        said = max(step, round(number * factor / step) * step)
        return f"{'more' if above else 'fewer'} than {said:,}"
    year = year_of(value)
    step = rng.randint(2, 14)
    return (
        f"after {year - step if kept else year + step}"
        if above
        else (f"before {year + step if kept else year - step}")
    )


def reads_well(text: str) -> bool:
    """Say whether nothing in a claim shows that a page was misread."""
    return (
        len(text) < 240
        and not re.search(r"[\[\]{}|<>]|\b(\w{3,}) \1\b|\bthe [Tt]he\b|  | [,.]|\.\.", text)
        and text.count("(") == text.count(")")
    )


def relations_of(subjects: Sequence[Subject]) -> dict[str, int]:
    """Count the subjects that state each relation."""
    counts: dict[str, int] = defaultdict(int)
    for subject in subjects:
        for fact in subject.facts:
            counts[fact.relation] += 1
    return dict(counts)
