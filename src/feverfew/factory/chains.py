"""Write claims that need several pages, as HoVer's authors had them written (section 2.1.2).

A claim about a page, or a comparison of two, names its subjects. A name is replaced by what another
page says of it: “Fritz Lang” by “the director of M”; then that page's own name by what a third
says. Pages that the claim's pages mention already are left out, so one search cannot find all.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.factory.claims import (
    Drafted,
    Form,
    N,
    R,
    S,
    Values,
    Writer,
    agreeing,
    differs,
    forms_of,
    named,
    order_of,
    reads_well,
    sort_of,
)
from feverfew.factory.facts import RELATIONS, Fact, Subject
from feverfew.factory.forms import year_of
from feverfew.rules.mutations import changed_spans
from feverfew.rules.sampling import rng_of, unit
from feverfew.text import display_title, without_parenthesis
from feverfew.types import Ref, Verdict

_ROUNDS, _TOO_FEW = 40, 4
"""How often the subjects are gone through, unless a round gives fewer claims than this."""
_OPERATIONS = {
    "substitute-similar": "entity-substitution",
    "substitute-dissimilar": "entity-substitution",
    "rephrase": "original",
}
"""FEVER's mutations, as HoVer calls them."""
_MANNERS = ("says", "denies", "wider", "joined")


class Chain(Struct, frozen=True, kw_only=True):
    """A claim under way: its words, with a number for each name that may still be replaced."""

    text: str
    names: tuple[tuple[int, Subject], ...]
    """The subjects that the words name, by the page's place."""
    label: Verdict
    facts: tuple[Ref, ...]
    pages: tuple[Subject, ...]
    edges: tuple[tuple[int, int], ...] = ()
    operation: str = "original"
    parent: str = ""
    form: str = ""
    said: tuple[str, ...] = ()
    """Relations that describe something in it: each twice at most, to be readable."""
    apart: bool = False
    """Whether the claim lays two pages side by side."""

    def spelled(self) -> str:
        """Return the claim in words."""
        text = self.text
        for place, subject in self.names:
            text = named(text, f"<{place}>", subject.name)
        return text[0].upper() + text[1:]


class Chainer:
    """Writes chains over the subjects of a corpus."""

    def __init__(self, corpus: Corpus, subjects: Sequence[Subject]) -> None:
        self._writer = Writer(Values(subjects))
        self._known = {subject.number: subject for subject in subjects}
        self._described = _descriptions(corpus, self._known)
        self._alike: dict[tuple[str, str, bool], list[tuple[Subject, Fact]]] = defaultdict(list)
        self._valuing: dict[str, list[tuple[Subject, Fact]]] = defaultdict(list)
        self._shared: dict[tuple[str, str], list[tuple[Subject, Fact]]] = defaultdict(list)
        for subject in subjects:
            for fact in subject.facts:
                alike = (fact.relation, subject.noun, self.described(subject))
                self._alike[alike].append((subject, fact))
                self._shared[fact.relation, fact.value].append((subject, fact))
                if RELATIONS[fact.relation].describes:
                    self._valuing[fact.value].append((subject, fact))

    def described(self, subject: Subject) -> bool:
        """Say whether another page says of a subject what can stand for its name."""
        return subject.number in self._described

    def start(
        self, subject: Subject, label: Verdict, rng: random.Random, *, apart: bool
    ) -> Chain | None:
        """Begin with a claim about one page, or (apart) with one that lays two side by side."""
        ways = (self._compared, self._same) if apart else (self._single, self._valued)
        if label is N:
            return None if apart else self._single(subject, label, rng)
        return rng.choice(ways)(subject, label, rng)

    def _single(self, subject: Subject, label: Verdict, rng: random.Random) -> Chain | None:
        facts = list(subject.facts)
        if label is N:
            facts = [Fact(relation, "", subject.index) for relation in subject.silent]
        if not facts:
            return None
        fact = rng.choice(facts)
        forms = [
            form
            for form in forms_of(subject, fact)
            if form.manner in _MANNERS and "{x}'s" not in _sentence(form)
        ]
        blank = replace(subject, name="<0>")
        form = rng.choice(forms) if forms else None
        made = self._writer.write(blank, fact, form, label, rng) if form else None
        if made is None or made.text.count("<0>") != 1:
            return None
        return Chain(
            text=made.text,
            names=((0, subject),),
            label=label,
            facts=made.evidence[0]
            if made.evidence
            else (Ref.sentence(subject.title, subject.index),),
            pages=(subject,),
            operation=_OPERATIONS.get(made.operation, made.operation),
            parent=made.parent.replace("<0>", subject.name),
            form=made.form,
            said=(fact.relation,) * 2,
        )

    def _valued(self, one: Subject, label: Verdict, rng: random.Random) -> Chain | None:
        """Name a value by another page that has it too: HoVer's second method.

        The value is not the title of a page of the claim, but stands on one: “M was directed by the
        director of Metropolis”, “… was born in the place where … is based”.
        """
        facts = [fact for fact in one.facts if RELATIONS[fact.relation].describes]
        if not facts:
            return None
        fact = rng.choice(facts)
        pool = self._others(fact, one, rng)
        if label is S:
            further = rng.random() < 0.6
            pool = [p for p in self._valuing[fact.value] if self.described(p[0]) == further]
        other, theirs = rng.choice(pool) if pool else (one, fact)
        same = theirs.value == fact.value
        if (
            other.number == one.number
            or same != (label is S)
            or not (_one_place(fact, theirs) if same else differs(fact, theirs.value))
            or sort_of(fact, one) != sort_of(theirs, other)
            or other.name in one.text
            or (theirs.value in one.text and label is not S)
        ):
            return None
        relation = RELATIONS[fact.relation]
        sentences = [say for say in relation.says if "{x}'s" not in say]
        place = rng.randrange(len(sentences))
        phrase = _describing(theirs, other, "<1>")
        return Chain(
            text=agreeing(sentences[place], one).replace("{x}", "<0>").replace("{v}", phrase),
            names=((0, one), (1, other)),
            label=label,
            facts=(Ref.sentence(one.title, fact.index), Ref.sentence(other.title, theirs.index)),
            pages=(one, other),
            edges=((0, 1),),
            operation="original" if label is S else "entity-substitution",
            form=f"{fact.relation} valued {place}",
            said=(fact.relation,) * 2,
        )

    def _compared(self, one: Subject, label: Verdict, rng: random.Random) -> Chain | None:
        facts = [fact for fact in one.facts if RELATIONS[fact.relation].compares]
        if not facts:
            return None
        fact = rng.choice(facts)
        pool = self._others(fact, one, rng)
        other, theirs = rng.choice(pool) if pool else (one, fact)
        if not differs(fact, theirs.value) or other.title == one.title:
            return None
        form = rng.choice(RELATIONS[fact.relation].compares)
        earlier = order_of(fact) < order_of(theirs)
        text = (
            form
            if earlier == (label is S)
            else form.replace("{a}", "{c}").replace("{b}", "{a}").replace("{c}", "{b}")
        )
        return self._pair(text, (one, fact), (other, theirs), label, f"{fact.relation} compares")

    def _same(self, one: Subject, label: Verdict, rng: random.Random) -> Chain | None:
        facts = [fact for fact in one.facts if RELATIONS[fact.relation].shared]
        if not facts:
            return None
        fact = rng.choice(facts)
        if label is S:
            pool = self._shared[fact.relation, fact.value]
        else:
            pool = self._others(fact, one, rng)
        other, theirs = rng.choice(pool) if pool else (one, fact)
        sure = (
            theirs.value == fact.value and _one_place(fact, theirs)
            if label is S
            else differs(fact, theirs.value)
        )
        if other.title == one.title or not sure or sort_of(fact, one) != sort_of(theirs, other):
            return None
        text = RELATIONS[fact.relation].shared
        return self._pair(text, (one, fact), (other, theirs), label, f"{fact.relation} shared")

    def _others(self, fact: Fact, one: Subject, rng: random.Random) -> list[tuple[Subject, Fact]]:
        """Return whom to set beside a subject: mostly those that can be described in turn."""
        return self._alike[fact.relation, one.noun, rng.random() < 0.6]

    def _pair(
        self,
        text: str,
        one: tuple[Subject, Fact],
        other: tuple[Subject, Fact],
        label: Verdict,
        form: str,
    ) -> Chain:
        return Chain(
            text=text.replace("{a}", "<0>").replace("{b}", "<1>"),
            names=((0, one[0]), (1, other[0])),
            label=label,
            facts=tuple(Ref.sentence(s.title, f.index) for s, f in (one, other)),
            pages=(one[0], other[0]),
            edges=((0, 1),),
            operation="original" if label is S else "entity-substitution",
            form=form,
            said=(one[1].relation,) * 2,
            apart=True,
        )

    def extend(self, chain: Chain, rng: random.Random) -> Chain | None:
        """Replace one name by what a further page says of it; None if none fits."""
        names = list(chain.names)
        rng.shuffle(names)
        known = " ".join(page.text for page in chain.pages)
        for place, subject in names:
            options = list(self._described.get(subject.number, ()))
            rng.shuffle(options)
            for other, fact in options:
                own = without_parenthesis(display_title(other.title))
                if chain.said.count(fact.relation) > 1 or own in known or own in chain.text:
                    continue
                if any(other.number == page.number for page in chain.pages):
                    continue
                new = len(chain.pages)
                phrase = _describing(fact, other, f"<{new}>")
                kept = tuple(one for one in chain.names if one[0] != place)
                return replace(
                    chain,
                    text=named(chain.text, f"<{place}>", phrase),
                    names=(*kept, (new, other)),
                    facts=(*chain.facts, Ref.sentence(other.title, fact.index)),
                    pages=(*chain.pages, other),
                    edges=(*chain.edges, (place, new)),
                    said=(*chain.said, fact.relation),
                )
        return None


def _sentence(form: Form) -> str:
    own = RELATIONS[form.relation]
    sentences = {"says": own.says, "denies": own.denies, "wider": own.wider}
    return sentences[form.manner][form.place] if form.manner in sentences else ""


def _descriptions(
    corpus: Corpus, known: dict[int, Subject]
) -> dict[int, list[tuple[Subject, Fact]]]:
    """Turn facts round: whose page a value names, and which subject has that value."""
    found: dict[int, list[tuple[Subject, Fact]]] = defaultdict(list)
    for subject in known.values():
        for fact in subject.facts:
            relation = RELATIONS[fact.relation]
            number = corpus.number(fact.value) if relation.describes else None
            target = known.get(number) if number is not None else None
            # Only a page of that very name: another of the name may be meant.
            if (
                target is not None
                and target.family in relation.becomes.split()
                and display_title(target.title) == fact.value
                and target.number != subject.number
                and _meant(target, subject, fact)
            ):
                found[target.number].append((subject, fact))
    return found


def _meant(target: Subject, subject: Subject, fact: Fact) -> bool:
    """Say whether a page of a value's name is surely the one meant: there are two John Riches."""
    relation = RELATIONS[fact.relation]
    if relation.type == "place":
        parts = [part for part in fact.region.split(", ") if part]
        return any(part in target.text for part in parts)
    born = [year_of(one.value) for one in target.facts if one.relation in ("born", "founded")]
    out = [year_of(one.value) for one in subject.facts if one.relation in ("released", "founded")]
    grown = 15 if target.family == "person" else 0
    return re.search(relation.known, target.text) is not None and all(
        then >= first + grown for first in born for then in out
    )


def _one_place(fact: Fact, theirs: Fact) -> bool:
    """Say whether two places of one name are one place: both lie in the same."""
    if RELATIONS[fact.relation].type != "place":
        return fact.relation == theirs.relation
    return bool(set(fact.region.split(", ")) & set(theirs.region.split(", ")) - {""})


def _describing(fact: Fact, subject: Subject, mark: str) -> str:
    """Say a value by the subject that has it, whose name the mark stands for."""
    form = RELATIONS[fact.relation].describes.replace("{y}", "{x}")
    return agreeing(form, subject).replace("{x}", mark)


def shape(chain: Chain) -> str:
    """Name the graph of a claim's pages, as table 1 of the paper does."""
    ends = Counter(at for edge in chain.edges for at in edge)
    star = max(ends.values(), default=0) > 2
    return f"{len(chain.pages)}-{'star' if star else 'chain'}{', compared' if chain.apart else ''}"


def draw_chains(
    corpus: Corpus, subjects: Sequence[Subject], count: int, seed: int, hops: Sequence[int]
) -> Iterator[Drafted]:
    """Draw claims of so many pages, in even shares, half of them supported in every form.

    Comparisons are half of the claims; more, where the pages give no more of the others.
    """
    chainer = Chainer(corpus, subjects)
    # Those that can be described come first, then so many others, for claims of two pages.
    order = sorted(
        (subject for subject in subjects if subject.facts),
        key=lambda s: (not chainer.described(s), unit(seed, "chain", s.title)),
    )[: sum(map(chainer.described, subjects)) + count]
    said: set[str] = set()
    share = -(-count // len(hops))
    left = dict.fromkeys(hops, share)
    for apart in (False, True):
        wanted = {n: (room if apart else room // 2) for n, room in left.items()}
        for made in _rounds(chainer, order, wanted, seed, said, apart=apart):
            left[made.hops or 0] -= 1
            yield made


def _rounds(
    chainer: Chainer,
    order: Sequence[Subject],
    wanted: dict[int, int],
    seed: int,
    said: set[str],
    *,
    apart: bool,
) -> Iterator[Drafted]:
    """Go through the subjects again and again, until there are enough or a round gives too few."""
    waiting: dict[tuple[int, str], dict[bool, list[Drafted]]] = defaultdict(
        lambda: {True: [], False: []}
    )
    for turn in range(_ROUNDS):
        before = sum(wanted.values())
        for subject in order:
            rng = rng_of(seed, "chain", turn, apart, subject.title)
            label = S if rng.random() < 0.5 else (R if rng.random() < 0.8 else N)
            made = _longest(chainer, chainer.start(subject, label, rng, apart=apart), wanted, rng)
            if made is None or made.text in said or not reads_well(made.text):
                continue
            said.add(made.text)
            # A form is given out with both labels at once, so that it tells neither.
            key = (made.hops or 0, made.form)
            waiting[key][label is S].append(made)
            if all(waiting[key].values()):
                wanted[key[0]] -= 2
                yield from (several.pop() for several in waiting[key].values())
            if max(wanted.values()) <= 0:
                return
        if before - sum(wanted.values()) < _TOO_FEW:
            return


def _longest(
    chainer: Chainer, chain: Chain | None, wanted: dict[int, int], rng: random.Random
) -> Drafted | None:
    """Extend a chain, and keep the longest form of it that is still wanted."""
    longest: Chain | None = None
    while chain is not None and len(chain.pages) <= max(wanted):
        if wanted.get(len(chain.pages), 0) > 0:
            longest = chain
        chain = chainer.extend(chain, rng) if len(chain.pages) < max(wanted) else None
    return _drafted(longest) if longest is not None else None


def _drafted(chain: Chain) -> Drafted:
    text = chain.spelled()
    parent = chain.parent
    return Drafted(
        text=text,
        label=chain.label,
        page=chain.pages[0].title,
        evidence=(tuple(dict.fromkeys(chain.facts)),),
        operation=chain.operation,
        parent=parent,
        changed=tuple(changed_spans(parent, text)) if parent else (),
        form=chain.form,
        source=chain.facts[0],
        hops=len(chain.pages),
        group=chain.pages[0].title,
        graph=shape(chain),
    )
