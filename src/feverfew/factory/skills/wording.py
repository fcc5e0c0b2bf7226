"""Skills of wording: negation, detail, opposites, superlatives and ranks."""

import random
import re
from collections.abc import Iterator

from feverfew.factory.forms import FORMS, fill
from feverfew.factory.skills.base import Example, PageText, context, number_word, silent
from feverfew.factory.words import ANTONYMS

_NOT = re.compile(
    r" (was|is|were|are|has|had|could|can|would|will|did|does|do) (not|never) "
    r"(?!only|until|to |just|necessarily|always|all|merely|simply|officially|fully|yet)"
)
_AUXILIARY = re.compile(
    r"^(?P<head>[^,]{2,60}?) (?P<verb>was|is|were|are|could|can|will) (?=[a-z])"
)
_CLAUSE = re.compile(
    r"\b(?:but|although|though|while|because|unless|until|nor|neither|either|if|only"
    r"|which|who|that|whom|whose|where|when|any|yet|no|not|never|ever)\b"
)


def negation(page: PageText, other: PageText, rng: random.Random) -> Iterator[Example]:
    """Deny what is said, affirm what is denied, and deny what is false."""
    theirs = {said.form: said.value for _, said in other.statements()}
    for at, said in page.statements():
        value = theirs.get(said.form)
        if said.form not in FORMS or not value or value == said.value:
            continue
        if said.form in ("born", "died") and rng.random() < 0.7:
            continue  # there are so many of them
        form = FORMS[said.form]
        if value in page.sentences[at] or said.value in value or value in said.value:
            continue
        evidence = context(page, at, rng)
        yield Example(fill(form.denied, said, said.value), evidence, "R")
        yield Example(fill(form.denied, said, value), evidence, "S")
        right = rng.random() < 0.5
        yield Example(
            fill(form.plain, said, said.value if right else value), evidence, "SR"[not right]
        )
        year = re.search(r"\d{4}", said.value)
        hints = [said.value, year[0] if year else said.value, "born", "died", "birth", "death"]
        if beside := silent(page, at, rng, hints):
            yield Example(fill(form.denied, said, rng.choice((value, said.value))), beside, "N")
    for at, claim in page.claims():
        if found := _NOT.search(claim):
            if _CLAUSE.search(claim[: found.start()]) or _CLAUSE.search(claim[found.end() :]):
                continue
            if re.search(r",| (?:and|or) ", claim):
                continue
            evidence = context(page, at, rng)
            positive = f"{claim[: found.start()]} {found[1]} {claim[found.end() :]}"
            yield _wrapped(positive, "R", evidence, rng)
            yield _wrapped(claim, "S", evidence, rng)
            if beside := silent(page, at, rng):
                yield _wrapped(rng.choice((claim, positive)), "N", beside, rng)
        elif rng.random() < 0.08 and (found := _AUXILIARY.match(claim)):
            if re.search(r",| (?:and|or|one of|some|many|most|all|both) ", claim):
                continue
            if _CLAUSE.search(claim):
                continue
            denied = f"{found[0]}not {claim[found.end() :]}"
            evidence = context(page, at, rng)
            yield _wrapped(denied, "R", evidence, rng)
            yield _wrapped(claim, "S", evidence, rng)


def _wrapped(
    claim: str, label: str, evidence: list[tuple[str, str]], rng: random.Random
) -> Example:
    """Say a claim as it is, or that it is true, or (which turns the label) that it is not."""
    said = claim[0].lower() + claim[1:] if claim.startswith("The ") else claim
    chance = rng.random()
    if chance < 0.3:
        opposite = {"S": "R", "R": "S", "N": "N"}[label]
        how = rng.choice(("It is not true that", "It is false that", "It is not the case that"))
        return Example(f"{how} {said}", evidence, opposite)
    if chance < 0.4:
        return Example(f"It is true that {said}", evidence, label)
    return Example(claim, evidence, label)


_BEFORE_DETAIL = re.compile(
    r"\b(?:from|between|until|since|before|after|by|during|only|first|last|no|not"
    r"|never|most|every|all|when|if|than|except|least|born|\w+est|second|third|\. )\b",
    re.I,
)
_UNFINISHED = re.compile(
    r"\b(?:is|was|were|are|located|situated|held|resided|place|built|published|released|lived|lives"
    r"|based|born|died|set|found|native|founded|established|opened|living|made)[ .,]?$"
)
_DETAIL = re.compile(
    r" (?:in|on) (?:(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September"
    r"|October|November|December)(?: \d{1,2},)? )?"
    r"(?:1[5-9]\d\d|20[0-2]\d)(?=\.$|, (?!\d)| and (?!\d)| with )"
    r"|(?<=[a-z]) (?:in|at|near) [A-Z][a-zà-ÿ]+(?: [A-Z][a-zà-ÿ]+)?(?:, [A-Z][a-zà-ÿ]+)?(?=\.$)"
)


def detail(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Leave a time or place out of the claim (supported) or out of the evidence (silent)."""
    for at, claim in page.claims():
        found = list(_DETAIL.finditer(claim))
        if len(found) != 1 or _BEFORE_DETAIL.search(claim[: found[0].start()]):
            continue
        said = found[0]
        without = claim[: said.start()] + claim[said.end() :]
        without = re.sub(r"(?<=\w), (?=by|with|on|at|and)", " ", without)
        without = re.sub(r",+\.$", ".", without)
        if "National Register" in claim and rng.random() < 0.8:
            continue  # thousands of pages say so
        if len(without.split()) < 7 or _UNFINISHED.search(without[: said.start() + 1]):
            continue
        if any(word in page.name for word in re.findall(r"[A-Z]\w+", said[0])):
            continue
        full = context(page, at, rng)
        title = full[0][0]
        yield Example(without, full, "S")
        if not re.search(r"\b(?:lies|located|situated|lives|based|served)\b", claim):
            yield Example(claim, [(title, without)], "N")
        dated = bool(re.search(r"\d{4}", said[0]))
        if dated:
            off = rng.choice((-1, 1)) * rng.choice((1, 2, 3, 5, 10, 30))
            year = int(re.findall(r"\d{4}", said[0])[0])
            wrong = said[0].replace(str(year), str(min(2019, year + off)))
            if wrong != said[0]:
                yield Example(claim[: said.start()] + wrong + claim[said.end() :], full, "R")


_OPPOSED = {
    k: v
    for k, v in ANTONYMS.items()
    if k
    not in (
        "former",
        "current",
        "first",
        "last",
        "professional",
        "amateur",
        "public",
        "private",
        "increased",
        "decreased",
        "retired",
        "active",
        "winning",
        "losing",
    )
}
_OPPOSITE = re.compile(
    rf"\b({'|'.join(_OPPOSED)})\b(?! (?:and|or) |[-,] ?(?:{'|'.join(_OPPOSED)})|-| [A-Z])"
)


def opposites(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Replace an adjective by its opposite."""
    for at, claim in page.claims():
        found = list(_OPPOSITE.finditer(claim))
        if len(found) != 1 or re.search(r"\b(?:not|never|no|than|most|least|border)\b", claim):
            continue
        word = found[0]
        evidence = context(page, at, rng)
        yield Example(
            claim[: word.start()] + _OPPOSED[word[1]] + claim[word.end() :], evidence, "R"
        )
        if rng.random() < 0.9:
            yield Example(claim, evidence, "S")
        if rng.random() < 0.6 and (beside := silent(page, at, rng, [word[1]])):
            yield Example(
                claim[: word.start()]
                + rng.choice((_OPPOSED[word[1]], word[1]))
                + claim[word.end() :],
                beside,
                "N",
            )


_DEGREES = {
    "largest": ("larger", "smallest"),
    "biggest": ("bigger", "smallest"),
    "smallest": ("smaller", "largest"),
    "tallest": ("taller", "shortest"),
    "longest": ("longer", "shortest"),
    "shortest": ("shorter", "longest"),
    "oldest": ("older", "newest"),
    "highest": ("higher", "lowest"),
    "deepest": ("deeper", "shallowest"),
    "busiest": ("busier", "quietest"),
    "youngest": ("younger", "oldest"),
    "richest": ("richer", "poorest"),
    "most populous": ("more populous", "least populous"),
    "most expensive": ("more expensive", "cheapest"),
    "heaviest": ("heavier", "lightest"),
}
_RANKS = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
_SUPERLATIVE = re.compile(
    r"^(?P<subject>.{2,60}?) (?P<be>is|was) (?P<one>one of )?(?:the|[A-Z][a-z]+'s) "
    rf"(?:(?P<rank>{'|'.join(_RANKS[2:])})[- ])?(?P<most>{'|'.join(_DEGREES)}) "
    r"(?P<noun>[a-z][a-z ]{2,30}?)"
    r"(?P<scope> (?:in|of|on) (?:the )?"
    r"(?:[A-Z][\w.'-]+|world|country|state|city|region|island|county|province)"
    r"(?: (?:of )?[A-Z][\w.'-]+)*)"
    r"(?=\.$|, (?:and|with|which|located|situated|after)?|\.| and | with | after )(?P<rest>.*)$"
)


def superlatives(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Rewrite superlatives as comparisons, change the rank, or claim more than is said."""
    for at, claim in page.claims():
        found = _SUPERLATIVE.match(claim)
        if not found or re.search(
            r"\b(?:after|behind|outside|excluding|by|population)\b", found["rest"]
        ):
            continue
        if not found["subject"].endswith(page.name.split()[-1]):
            continue
        noun, scope, be, most = found["noun"], found["scope"], found["be"], found["most"]
        x = found["subject"]
        more, least = _DEGREES[most]
        many = bool(found["one"])
        if many != noun.endswith("s") or noun.endswith(("ss", "us", "series")):
            continue
        if re.search(r"\b(?:and|or|ever|such|by)\b", noun):
            continue
        single = (noun[:-3] + "y" if noun.endswith("ies") else noun[:-1]) if many else noun
        plural = (
            noun
            if many
            else (
                noun[:-1] + "ies"
                if re.search(r"[^aeiou]y$", noun)
                else noun + "es"
                if noun.endswith(("s", "ch", "sh", "x"))
                else noun + "s"
            )
        )
        are = "are" if be == "is" else "were"
        second = rng.choice(_RANKS[2:5])
        if many:
            true = [
                f"{x} {be} among the {most} {plural}{scope}.",
            ]
            false = [
                f"{x} {be} one of the {least} {plural}{scope}.",
                f"{x} {be} the {least} {single}{scope}.",
            ]
            open_ = [
                f"{x} {be} the {most} {single}{scope}.",
                f"No {single}{scope} {be} {more} than {x}.",
                f"{x} {be} the {second}-{most} {single}{scope}.",
                f"{number_word(rng.randint(2, 6)).title()} {plural}{scope} {are} {more} than {x}.",
            ]
        elif found["rank"]:
            rank = _RANKS.index(found["rank"])
            ahead = number_word(rank - 1).capitalize()
            shown = f"One {single}{scope} {be}" if rank == 2 else f"{ahead} {plural}{scope} {are}"
            wrong = rng.choice([r for r in range(2, 9) if r != rank])
            true = [
                f"{shown} {more} than {x}.",
                f"{x} {be} not the {most} {single}{scope}.",
                f"There {be} a {more} {single}{scope} than {x}.",
                f"{x} ranks {found['rank']} among the {most} {plural}{scope}.",
            ]
            false = [
                f"{x} {be} the {most} {single}{scope}.",
                f"No {single}{scope} {be} {more} than {x}.",
                f"{x} {be} the {_RANKS[wrong]}-{most} {single}{scope}.",
            ]
            open_ = []
        else:
            true = [
                f"No other {single}{scope} {be} {more} than {x}.",
                f"{x} {be} {more} than any other {single}{scope}.",
                f"All other {plural}{scope} {are} {_less(more)} than {x}.",
            ]
            false = [
                f"{x} {be} the {second}-{most} {single}{scope}.",
                f"There {be} a {more} {single}{scope} than {x}.",
                f"{x} {be} the {least} {single}{scope}.",
                f"{x} {be} not the {most} {single}{scope}.",
            ]
            open_ = []
        dimensions = ("most visited", "most famous", "best-known", "most beautiful", "most studied")
        open_ += [f"{x} {be} the {rng.choice(dimensions)} {single}{scope}."]
        evidence = context(page, at, rng)
        for label, claims in (("S", true), ("R", false), ("N", open_)):
            yield Example(rng.choice(claims), evidence, label)


def _less(more: str) -> str:
    return {
        "larger": "smaller",
        "bigger": "smaller",
        "smaller": "larger",
        "taller": "shorter",
        "longer": "shorter",
        "shorter": "longer",
        "older": "newer",
        "higher": "lower",
        "deeper": "shallower",
        "busier": "less busy",
        "younger": "older",
        "richer": "poorer",
        "more populous": "less populous",
        "more expensive": "cheaper",
        "heavier": "lighter",
    }[more]
