"""Write three claims about each highlight, as FEVEROUS's annotators did (section 3.1.1).

A highlight is four sentences of a page, or a table. Claim I combines what it holds, true or false
as prescribed; claim II adds something from beyond it, of the same page or of another; claim III
mutates one of the two. A highlight that does not give all three is skipped, as annotators could.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

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
    forms_of,
    reads_well,
)
from feverfew.factory.facts import RELATIONS, Fact, Subject
from feverfew.factory.table_claims import (
    Readable,
    TableClaim,
    TableWriter,
    readable_tables,
    sayable,
)
from feverfew.rules.mutations import changed_spans
from feverfew.rules.sampling import (
    SENTENCES_TO_TABLES,
    Highlight,
    Prescription,
    draw_highlights,
    prescribe,
    rng_of,
)
from feverfew.types import Page, Ref, Verdict

_DRAWN = 6
"""Highlights drawn for each that is wanted: many are skipped."""
_TRIED = 6
"""Times that a highlight is written about before it is skipped."""
_MANNERS = {"negate": "denies", "rephrase": "says", "general": "wider"}
Three = tuple[Drafted, Drafted, Drafted]


class HighlightWriter:
    """Writes the three claims of highlights."""

    def __init__(
        self, corpus: Corpus, subjects: Sequence[Subject], pool: dict[str, list[str]]
    ) -> None:
        self._corpus, self._pool = corpus, pool
        self._by_title = {subject.title: subject for subject in subjects}
        self._by_number = {subject.number: subject for subject in subjects}
        self._writer = Writer(Values(subjects))

    def write(
        self, highlight: Highlight, told: Prescription, opened: bool, rng: random.Random
    ) -> Three | None:
        """Write a highlight's claims; `opened` asks for a second claim that is not enough info."""
        page = self._corpus.page(highlight.page)
        subject = self._by_title.get(highlight.page)
        if highlight.is_table:
            index = highlight.refs[0].position[0]
            table = next((t for t in readable_tables(page) if t.table.index == index), None)
            return self._of_table(table, subject, told, opened, rng) if table else None
        lines = {ref.position[0] for ref in highlight.refs}
        return self._of_text(subject, lines, told, opened, rng) if subject else None

    def _of_text(
        self,
        subject: Subject,
        lines: set[int],
        told: Prescription,
        opened: bool,
        rng: random.Random,
    ) -> Three | None:
        inside = [fact for fact in subject.facts if fact.index in lines]
        beyond = [fact for fact in subject.facts if fact.index not in lines]
        if len(inside) < 2:
            return None
        first, second = rng.sample(inside, 2)
        one = self._joined(subject, first, second, S if told.veracity else R, rng)
        label = N if opened else rng.choice((S, R))
        if opened:
            silent = [Fact(relation, "", subject.index) for relation in subject.silent]
            two = self._joined(subject, first, rng.choice(silent), N, rng) if silent else None
        elif told.several_pages:
            two = self._with_other_page(subject, first, label, rng)
        else:
            further = beyond or [fact for fact in inside if fact not in (first, second)]
            two = self._joined(subject, first, rng.choice(further), label, rng) if further else None
        three = self._mutated(subject, second, told.mutation, rng)
        if one is None or two is None or three is None:
            return None
        challenge = "Multi-hop Reasoning" if told.several_pages and not opened else "Other"
        return (
            replace(one, kind="I", challenge="Other", group=subject.title),
            replace(two, kind="II", challenge=challenge, group=subject.title),
            replace(three, kind="III", challenge="Other", group=subject.title),
        )

    def _joined(
        self, subject: Subject, first: Fact, second: Fact, label: Verdict, rng: random.Random
    ) -> Drafted | None:
        forms = [
            form for form in forms_of(subject, second)
            if form.manner == "joined" and form.beside == first.relation
        ]  # fmt: skip
        made = self._writer.write(subject, second, forms[0], label, rng) if forms else None
        if made is None or label is not N:
            return made
        # An open claim needs evidence too: what comes nearest.
        return replace(made, evidence=((Ref.sentence(subject.title, first.index),),))

    def _with_other_page(
        self, subject: Subject, fact: Fact, label: Verdict, rng: random.Random
    ) -> Drafted | None:
        """Add to a claim what the page of its value says: 'was directed by Lang, who …'."""
        number = self._corpus.number(fact.value) if RELATIONS[fact.relation].describes else None
        other = self._by_number.get(number) if number is not None else None
        if other is None or other.family not in RELATIONS[fact.relation].becomes.split():
            return None
        base = self._writer.write(
            subject, fact, Form(fact.relation, "says", 0, verb=fact.verb), S, rng
        )
        return self._adding(base, other, label, rng) if base else None

    def _adding(
        self, base: Drafted, other: Subject, label: Verdict, rng: random.Random
    ) -> Drafted | None:
        """Let a clause about the page that a claim ends with follow it."""
        facts = list(other.facts)
        if label is N:
            facts = [Fact(relation, "", other.index) for relation in other.silent]
        if not facts:
            return None
        fact = rng.choice(facts)
        made = self._writer.write(
            replace(other, name="<0>", what="is a page"),
            fact,
            Form(fact.relation, "specific", verb=fact.verb),
            label,
            rng,
        )
        if made is None:
            return None
        clause = re.sub(r"^<0> is a page (?:who|that) ", "", made.text)
        pronoun = "who" if other.family == "person" else "which"
        text = f"{base.text[:-1]}, {pronoun} {clause}"
        if clause == made.text:
            return None
        line = other.index if label is N else fact.index
        proof = (*base.evidence[0], Ref.sentence(other.title, line))
        return replace(
            base,
            text=text,
            label=label,
            evidence=(tuple(dict.fromkeys(proof)),),
            operation="specific",
            parent=base.text,
            changed=tuple(changed_spans(base.text, text)),
            form=f"{base.form} and {fact.relation}",
        )

    def _mutated(
        self, subject: Subject, fact: Fact, mutation: str, rng: random.Random
    ) -> Drafted | None:
        """Mutate the plain claim that says a fact; it may have been false before."""
        manner = _MANNERS.get(mutation, "says" if mutation == "entity-substitution" else "specific")
        forms = [
            form for form in forms_of(subject, fact)
            if form.manner == manner and (mutation != "rephrase" or form.place)
        ]  # fmt: skip
        if not forms:
            return None
        form, label = rng.choice(forms), rng.choice((S, R))
        made = self._writer.write(subject, fact, form, label, rng)
        if made is None:
            return None
        parent = made.parent
        if mutation == "entity-substitution" and label is S:  # a false claim made true
            false = self._writer.write(subject, fact, form, R, rng)
            parent = false.text if false else ""
        parent = parent or made.text
        return replace(
            made, operation=mutation, parent=parent, changed=tuple(changed_spans(parent, made.text))
        )

    def _of_table(
        self,
        table: Readable,
        subject: Subject | None,
        told: Prescription,
        opened: bool,
        rng: random.Random,
    ) -> Three | None:
        writer = TableWriter(table, self._pool, rng)
        ways = [writer.both, writer.compared, writer.most, writer.counted]
        rng.shuffle(ways)
        one = next((made for way in ways if (made := way(told.veracity))), None)
        label = N if opened else rng.choice((S, R))
        if told.several_pages or opened:
            two = self._beyond_table(table, writer, subject, label, rng)
        else:
            two = self._same_page(table, writer, subject, label, rng)
        three, parent = self._mutated_table(writer, told.mutation, rng)
        if one is None or two is None or three is None:
            return None
        return (
            replace(self._drafted(table, one), kind="I"),
            replace(two, kind="II"),
            replace(
                self._drafted(table, three),
                kind="III",
                operation=told.mutation,
                parent=parent,
                changed=tuple(changed_spans(parent, three.text)),
            ),
        )

    def _same_page(
        self,
        table: Readable,
        writer: TableWriter,
        subject: Subject | None,
        label: Verdict,
        rng: random.Random,
    ) -> Drafted | None:
        """Combine a cell with what the page's text says of its subject, or with more cells."""
        if subject is None or not subject.facts:
            made = writer.both(label is S)
            return self._drafted(table, made) if made else None
        base = writer.lookup(True)
        said = self._writer.write(
            subject,
            fact := rng.choice(subject.facts),
            Form(fact.relation, "says", 0, verb=fact.verb),
            label,
            rng,
        )
        if base is None or said is None:
            return None
        start = (
            base.text[0].lower() + base.text[1:-1]
            if base.text.startswith(("In ", "According ", "The table"))
            else base.text[:-1]
        )
        text = f"{said.text[:-1]}, and {start}."
        return replace(
            self._drafted(table, base),
            text=text,
            label=label,
            evidence=((*base.cells, *said.evidence[0]),),
            challenge="Combining Tables and Text",
            operation="specific",
            parent=base.text,
            changed=tuple(changed_spans(base.text, text)),
        )

    def _beyond_table(
        self,
        table: Readable,
        writer: TableWriter,
        subject: Subject | None,
        label: Verdict,
        rng: random.Random,
    ) -> Drafted | None:
        """Add to a cell what the page that it links to says."""
        for _ in range(8):
            base = writer.lookup(True, at_end=True)
            for link in base.subject if base else ():
                number = self._corpus.number(link.target)
                other = self._by_number.get(number) if number is not None else None
                if other is not None and base is not None:
                    made = self._adding(self._drafted(table, base), other, label, rng)
                    if made is not None:
                        return replace(made, challenge="Multi-hop Reasoning")
        return None

    def _mutated_table(
        self, writer: TableWriter, mutation: str, rng: random.Random
    ) -> tuple[TableClaim | None, str]:
        true = rng.random() < 0.5
        ways = {"negate": "denied", "general": "at_least_one"}
        made = (
            writer.both(true)
            if mutation == "specific"
            else writer.lookup(true, ways.get(mutation, "lookup"))
        )
        # The plain claim has the other value: substituted it is the parent, else the right one is.
        parent = writer.plain
        if made and mutation in ("negate", "general", "rephrase"):
            parent = writer.same
        return made, parent

    def _drafted(self, table: Readable, made: TableClaim) -> Drafted:
        return Drafted(
            text=made.text,
            label=S if made.true else R,
            page=table.page,
            evidence=(made.cells,),
            operation="original",
            parent="",
            changed=(),
            form=f"table {made.way}",
            source=Ref.of(table.page, "table_caption", str(table.table.index)),
            group=table.page,
            challenge="Numerical Reasoning" if made.numerical else "Other",
        )


def draw_highlight_claims(
    corpus: Corpus,
    numbers: Sequence[int],
    subjects: Sequence[Subject],
    count: int,
    seed: int,
    open_share: float,
) -> Iterator[Drafted]:
    """Draw highlights, sentences to tables as 1 to 2, and write claims until there are enough."""
    wanted = -(-count // 3)
    share = SENTENCES_TO_TABLES[0] / sum(SENTENCES_TO_TABLES)
    drawn = draw_highlights(_pages(corpus, numbers), wanted * _DRAWN, seed)
    writer = HighlightWriter(corpus, subjects, _pool(corpus, [h for h in drawn if h.is_table]))
    left = {False: round(wanted * share), True: wanted - round(wanted * share)}
    said: set[str] = set()
    used: set[str] = set()
    for last in (False, True):  # where one kind runs out, the other takes its place
        for highlight, told in zip(drawn, prescribe(seed, len(drawn)), strict=True):
            rng = rng_of(seed, "claims", highlight.page, last)
            room = sum(left.values()) if last else left[highlight.is_table]
            if room <= 0 or highlight.page in used:
                continue
            opened = rng.random() < 3 * open_share
            tried = (writer.write(highlight, told, opened, rng) for _ in range(_TRIED))
            three = next((one for one in tried if one and _fit(one, said)), None)
            if three is None:
                continue
            said.update(claim.text for claim in three)
            left[highlight.is_table] -= 1
            used.add(highlight.page)
            yield from three


def _fit(three: Three, said: set[str]) -> bool:
    texts = {claim.text for claim in three}
    return len(texts) == len(three) and not texts & said and all(map(reads_well, texts))


def _pages(corpus: Corpus, numbers: Sequence[int]) -> Iterator[Page]:
    for number in numbers:
        if (page := corpus.store.page(number)) is not None:
            yield page


def _pool(corpus: Corpus, highlights: Sequence[Highlight]) -> dict[str, list[str]]:
    """Collect what tables have under each header: values that another table may lack."""
    found: dict[str, list[str]] = defaultdict(list)
    for highlight in highlights:
        for table in readable_tables(corpus.page(highlight.page)):
            for column in table.columns:
                found[table.header(column)] += filter(sayable, table.view.columns[column].texts[:8])
    return {header: sorted(set(values)) for header, values in sorted(found.items())}
