"""Skills of counting: exceptions, quantifiers and ranks, over names taken from real lists.

The evidence is made up about real names, so that nothing but reading it helps.
"""

import random
import re
from collections.abc import Iterator

from feverfew.factory.skills.base import Example, PageText, number_word

_LIST = re.compile(
    r"(?:[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+){0,2}, ){2,5}"
    r"(?:and )?[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+){0,2}"
)
_PREDICATES = [
    # what was done, what was not done, what one may do, for "A ..." and "A and B ..."
    ("signed the agreement", "did not sign the agreement"),
    ("attended the meeting", "stayed away from the meeting"),
    ("voted for the proposal", "did not vote for the proposal"),
    ("passed the inspection", "failed the inspection"),
    ("accepted the invitation", "turned the invitation down"),
    ("took part in the survey", "did not take part in the survey"),
    ("reported a profit", "made no profit"),
    ("received a grant", "did not get a grant"),
    ("finished the course", "did not finish the course"),
    ("changed the rules", "left the rules as they were"),
    ("raised their fees", "did not raise their fees"),
    ("sent a delegation", "sent nobody"),
    ("replied to the letter", "did not reply to the letter"),
    ("were affected by the strike", "were not affected by the strike"),
    ("were mentioned in the report", "were not mentioned in the report"),
    ("were closed for the winter", "stayed open in winter"),
    ("were rebuilt after the war", "were not rebuilt after the war"),
    ("were open to visitors", "were not open to visitors"),
]
_PEOPLE = "members, students, players, patients, employees, delegates, guests, tenants"
_THINGS = "schools, bridges, hotels, farms, samples, shops, stations, houses, roads"
_DONE_TO_PEOPLE = "insured, registered, paid, tested, chosen, informed in time, invited, trained"
_DONE_TO_THINGS = "inspected, insured, replaced, damaged, registered, repaired, tested, moved, sold"
_SEVERAL = re.compile(
    r"\b(?:Inc|Ltd|Jr|Sr|Co|Corp|January|February|March|April|May|June|July|August"
    r"|September|October|November|December)\b"
)


def _names(page: PageText, rng: random.Random) -> list[str]:
    """Return a list of names that a page has, in no particular order."""
    for sentence in page.sentences[:6]:
        if found := _LIST.search(sentence):
            names = [n.removeprefix("and ").strip(" .") for n in found[0].split(", ")]
            last = names[-1].split(" and ")
            names = list(dict.fromkeys([*names[:-1], *last]))
            words = [word for name in names for word in name.split()]
            distinct = len(names) >= 4 and len(set(words)) == len(words)
            fit = all(3 < len(name) < 28 and not name.startswith("The ") for name in names)
            if distinct and fit and not _SEVERAL.search(found[0]):
                rng.shuffle(names)
                return names
    return []


def _joined(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _one(predicate: str) -> str:
    """Fit a predicate to a single subject."""
    predicate = re.sub(r"^were\b", "was", predicate)
    return predicate.replace(" their ", " its ")


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def exceptions(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Say that all but one did something; ask about the one, another one, and the whole."""
    names = _names(page, rng)
    if not names:
        return
    names = names[: rng.randint(4, len(names))]
    outsider, *group = names if len(names) > 4 else ["", *names]
    (did, did_not), (also, _) = rng.sample(_PREDICATES, 2)
    odd, even = rng.choice(group), ""
    even = rng.choice([n for n in group if n != odd])
    rest = [n for n in group if n != odd]
    count = number_word(len(group))
    introduced = rng.choice(
        (
            f"There were {count} of them: {_joined(group)}.",
            f"The list had {count} names: {_joined(group)}.",
            f"{_joined(group)} had all been asked.",
        )
    )
    said = rng.choice(
        (
            f"All of them except {odd} {did}.",
            f"All but {odd} {did}.",
            f"With the exception of {odd}, all of them {did}.",
            f"Apart from {odd}, every one of them {_one(did)}.",
            f"Only {odd} {_one(did_not)}; the others {did}.",
            f"{_joined(rest)} {did}; {odd} {_one(did_not)}.",
        )
    )
    evidence = [("", f"{introduced} {said}")]
    true = [
        f"{even} {_one(did)}.",
        f"{odd} {_one(did_not)}.",
        f"Not all of them {did}.",
        f"{number_word(len(rest)).capitalize()} of the {count} {did}.",
        f"{odd} was the only one of the {count} that {_one(did_not)}.",
        f"{_joined(rest[:2])} both {did}.",
    ]
    false = [
        f"{odd} {_one(did)}.",
        f"{even} {_one(did_not)}.",
        f"All {count} of them {did}.",
        f"None of the {count} {did}.",
        f"{even} was the only one of the {count} that {_one(did_not)}.",
        f"Only {even} {_one(did)}.",
        f"Both {odd} and {even} {did}.",
    ]
    open_ = [f"{even} {_one(also)}.", f"{odd} {_one(also)}.", f"All {count} of them {also}."]
    if outsider:
        open_ += [f"{outsider} {_one(did)}.", f"{outsider} {_one(did_not)}."] * 2
    for label, claims in (("S", true), ("R", false), ("N", open_)):
        for claim in rng.sample(claims, 2):
            yield Example(claim, evidence, label)


def quantifiers(_page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Say how many of a number did something, in figures or in words."""
    nouns, deeds = rng.choice(((_PEOPLE, _DONE_TO_PEOPLE), (_THINGS, _DONE_TO_THINGS)))
    total = rng.choice(
        (4, 5, 6, 8, 9, 10, 12, 15, 16, 20, 24, 30, 36, 40, 48, 60, 75, 90, 120, 200)
    )
    many = rng.choice(nouns.split(", "))
    one = many[:-1]
    done, other = rng.sample(deeds.split(", "), 2)
    were, others = f"were {done}", f"were {other}"
    kind = rng.choice(("count", "count", "all", "none", "some", "most"))
    where = rng.choice(("in the area", "in the region", "that year", "in the study", "at the time"))
    all_of, some = number_word(total, rng), f"the {total} {many}"
    open_: list[str] = []
    if kind == "count":
        part = rng.randint(2, total - 1)
        said = rng.choice(
            (
                f"Of the {all_of} {many} {where}, {number_word(part, rng)} {were}.",
                f"There were {all_of} {many} {where}; {number_word(total - part, rng)} were not"
                f" {done}. The others {were}.",
                f"{number_word(part).capitalize()} of the {all_of} {many} {where} {were}.",
            )
        )
        left = total - part
        true = [
            f"Not all of the {many} {were}.",
            f"Some of the {many} {were}.",
            f"At least one {one} was not {done}." if left else "",
            f"{number_word(left).capitalize()} of the {many} {_were(left)} not {done}.",
        ]
        false = [
            f"All of the {many} {were}.",
            f"None of the {many} {were}.",
            f"Every {one} was {done}.",
            f"No {one} was {done}.",
        ]
        if part * 2 > total:
            true += [f"Most of the {many} {were}.", f"More than half of the {many} {were}."]
            false += [
                f"Fewer than half of the {many} {were}.",
                f"Only a minority of the {many} {were}.",
            ]
        elif part * 2 < total:
            true += [
                f"Fewer than half of the {many} {were}.",
                f"Most of the {many} were not {done}.",
            ]
            false += [f"Most of the {many} {were}.", f"More than half of the {many} {were}."]
        else:
            true += [f"Half of the {many} {were}."] * 2
            false += [f"More than half of the {many} {were}."]
        wrong = rng.choice([n for n in range(1, total + 1) if n not in (part,)])
        false.append(
            f"{number_word(wrong).capitalize()} of the {many} {were}."
            if wrong > 1
            else f"Only one {one} was {done}."
        )
    elif kind == "all":
        said = rng.choice(
            (
                f"All of {some} {where} {were}.",
                f"Every one of {some} {where} {_one(were)}.",
                f"There were {all_of} {many} {where}, and all of them {were}.",
            )
        )
        true = [
            f"No {one} was left out: all {were}.",
            f"Some of the {many} {were}.",
            f"Most of the {many} {were}.",
            f"There was no {one} that was not {done}.",
            f"More than {number_word(total - 1)} of the {many} {were}.",
        ]
        false = [
            f"Not all of the {many} {were}.",
            f"Some of the {many} were not {done}.",
            f"Only some of the {many} {were}.",
            f"None of the {many} {were}.",
            f"Half of the {many} were not {done}.",
        ]
    elif kind == "none":
        said = rng.choice(
            (
                f"None of {some} {where} {were}.",
                f"Not one of {some} {where} {_one(were)}.",
                f"There were {all_of} {many} {where}, but none of them {_one(were)}.",
            )
        )
        true = [
            f"No {one} was {done}.",
            f"Not a single {one} was {done}.",
            f"The {many} were not {done}.",
            f"Fewer than {number_word(rng.randint(2, 9))} of the {many} {were}.",
        ]
        false = [
            f"Some of the {many} {were}.",
            f"At least one {one} was {done}.",
            f"All of the {many} {were}.",
            f"Most of the {many} {were}.",
            f"Only a few of the {many} {were}.",
        ]
    elif kind == "some":
        said = rng.choice(
            (
                f"Some of the {many} {where} {were}.",
                f"A number of {many} {where} {were}.",
                f"At least {number_word(2)} of the {many} {where} {were}.",
            )
        )
        true = [f"At least one {one} was {done}.", f"It is not the case that no {one} was {done}."]
        false = [
            f"None of the {many} {were}.",
            f"No {one} was {done}.",
            f"Not a single {one} was {done}.",
        ]
        open_ = [
            f"All of the {many} {were}.",
            f"Most of the {many} {were}.",
            f"Half of the {many} {were}.",
            f"Exactly {number_word(rng.randint(3, 9))} {many} {were}.",
        ]
    else:
        said = rng.choice(
            (
                f"Most of the {many} {where} {were}.",
                f"The great majority of the {many} {where} {were}.",
                f"More than half of the {many} {where} {were}.",
            )
        )
        true = [
            f"Some of the {many} {were}.",
            f"At least one {one} was {done}.",
            f"More {many} {were} than were not.",
        ]
        false = [
            f"None of the {many} {were}.",
            f"Hardly any of the {many} {were}.",
            f"Fewer than half of the {many} {were}.",
            f"Most of the {many} were not {done}.",
        ]
        open_ = [
            f"All of the {many} {were}.",
            f"Every {one} was {done}.",
            f"Exactly {number_word(rng.randint(13, 90))} of the {many} {were}.",
            f"One {one} was not {done}.",
        ]
    open_ += [
        f"Some of the {many} {others}.",
        f"Most of the {many} {others}.",
        f"None of the {many} {others}.",
    ]
    evidence = [("", said)]
    for label, claims in (("S", true), ("R", false), ("N", open_)):
        yield Example(rng.choice([c for c in claims if c]), evidence, label)


_PLACES = ["", "first", "second", "third", "fourth", "fifth", "sixth"]


def ranking(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Tell the order in which some came in; ask who was ahead, behind, and where."""
    names = _names(page, rng)
    if not names:
        return
    names = names[: min(5, len(names))]
    count = len(names)
    event = rng.choice(
        ("the vote", "the final", "the competition", "the survey", "the trial", "the poll")
    )
    said = rng.choice(
        (
            f"In {event}, {names[0]} came first, just ahead of {names[1]}"
            f"; {_joined(names[2:])} followed in that order.",
            f"{names[0]} won {event}. {names[1]} came second, {names[2]} third"
            + "".join(f", {n} {_PLACES[i]}" for i, n in enumerate(names[3:], 4))
            + ".",
            f"The order in {event} was {_joined(names)}, from first to last.",
            f"{names[-1]} came last in {event}, just behind {names[-2]}. "
            + " ".join(
                f"{names[i]} finished one place ahead of {names[i + 1]}." for i in range(count - 2)
            ),
        )
    )
    evidence = [("", said)]
    i, j = sorted(rng.sample(range(count), 2))
    ahead, behind = names[i], names[j]
    wrong = rng.choice([p for p in range(1, count + 1) if p != i + 1])
    true = [
        f"{ahead} did better than {behind} in {event}.",
        f"{behind} finished behind {ahead}.",
        f"{ahead} came {_PLACES[i + 1]} in {event}.",
        f"{names[0]} was the winner of {event}.",
        f"{names[-1]} did worse than all the others in {event}.",
        f"{names[1]} was the runner-up in {event}.",
        f"{behind} did not win {event}.",
        f"{number_word(j).capitalize()} {_were(j)} ahead of {behind} in {event}.",
    ]
    false = [
        f"{behind} did better than {ahead} in {event}.",
        f"{ahead} finished behind {behind}.",
        f"{ahead} came {_PLACES[wrong]} in {event}.",
        f"{behind} was the winner of {event}.",
        f"{names[0]} came last in {event}.",
        f"{rng.choice([*names[:1], *names[2:]])} was the runner-up in {event}.",
        f"Nobody was ahead of {behind} in {event}.",
        f"{names[-1]} won {event}.",
    ]
    open_ = [
        f"{names[0]} had also won {event} the year before.",
        f"{ahead} had been expected to win {event}.",
        f"{names[0]} won {event} by a wide margin.",
        f"{behind} was not satisfied with the result.",
        f"{ahead} came {_PLACES[i + 1]} in {event} the following year.",
    ]
    for label, claims in (("S", true), ("R", false), ("N", open_)):
        for claim in rng.sample(claims, 2):
            yield Example(claim, evidence, label)
