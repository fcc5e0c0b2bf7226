"""HoVer's screens: claims from questions, validation, longer chains, mutations, labels."""

import random

from sqlalchemy import select

from feverfew.corpus import Corpus
from feverfew.rules import check_claim, check_mutation, majority, mutation_named
from feverfew.rules.hover import check_creation, check_extension, contains_title, protected_names
from feverfew.rules.mutations import changed_spans
from feverfew.rules.sampling import rng_of
from feverfew.store.claim_tables import Claim
from feverfew.store.claims import add_claim, open_slots
from feverfew.store.submit import Work
from feverfew.store.work_tables import Annotation, Slot
from feverfew.text import display_title, without_parenthesis
from feverfew.types import Ref
from feverfew.workbench.fields import Field, Note
from feverfew.workbench.navigation import Entry, dictionary
from feverfew.workbench.screens import JudgeScreen, Screen
from feverfew.workbench.tasks import Task

__all__ = [
    "CreateScreen",
    "ExtendScreen",
    "HoverLabelScreen",
    "HoverMutateScreen",
    "ValidateScreen",
    "candidates",
]

_YES_NO = (("yes", "yes"), ("no", "no"))
_MOST_CANDIDATES, _MOST_HOPS = 5, 4
_BY_PEOPLE = ("specific", "general", "negate")
"""The mutations that people make; the others are made by machine."""


def _titles(claim: Claim) -> list[str]:
    return list(dict.fromkeys(Ref.parse(one).page for one in claim.data.get("facts", [])))


def _scale(most: int) -> tuple[tuple[str, str], ...]:
    words = {1: " (very confusing)", most: " (very clear)"}
    return tuple((str(n), f"{n}{words.get(n, '')}") for n in range(1, most + 1))


class CreateScreen(Screen):
    """One sentence that holds all of a question and its answer."""

    title = "Write a claim from a question"
    may_skip_source = True

    def notes(self, task: Task) -> list[Note]:
        assert task.source is not None
        data = task.source.data
        return [Note("Question", data["question"]), Note("Answer", data["answer"])]

    def fields(self, task: Task) -> list[Field]:
        assert task.source is not None
        data, value = task.source.data, task.text("claim")
        hits = check_creation(value, data["question"], data["answer"]) if value else []
        hint = "One formal sentence with everything in question and answer, and nothing more."
        return [
            Field(
                "clarity",
                "How clear is the question?",
                "",
                "choice",
                _scale(3),
                task.text("clarity"),
                required=True,
            ),
            Field(
                "claim", "Claim", hint, value=value, hits=tuple(hits), rule="create", required=True
            ),
        ]

    def problems(self, task: Task) -> list[str]:
        found = [] if task.text("claim") else ["Write the claim."]
        return found + ([] if task.text("clarity") else ["Rate the question's clarity."])

    def finish(self, task: Task, flagged: bool) -> str:
        assert task.source is not None
        self.keep(task, Work(outcome="written", answers={"clarity": task.text("clarity")}))
        claim = add_claim(
            task.session,
            task.campaign,
            task.settings,
            text=task.text("claim"),
            author=task.person,
            source=task.source,
            state="draft",
            hops=len({Ref.parse(one).page for one in task.source.data["facts"]}),
            data={"facts": task.source.data["facts"]},
        )
        count = task.settings.assignment.validators
        open_slots(task.session, claim, "validate", "regular", count, 0.5)
        return ""


class ValidateScreen(Screen):
    """Another group judges whether a claim meets the criteria; two of three keep it."""

    title = "Validate a claim"

    def notes(self, task: Task) -> list[Note]:
        assert task.source is not None and task.claim is not None
        data = task.source.data
        return [
            Note("Question", data["question"]),
            Note("Answer", data["answer"]),
            Note("Claim", task.claim.text),
        ]

    def fields(self, task: Task) -> list[Field]:
        hint = "It holds all of question and answer and nothing more; grammatical and formal."
        return [
            Field(
                "meets",
                "Does the claim meet the criteria?",
                hint,
                "choice",
                _YES_NO,
                task.text("meets"),
                required=True,
            ),
            Field(
                "clarity",
                "How clear are question and answer?",
                "",
                "choice",
                _scale(5),
                task.text("clarity"),
                required=True,
            ),
        ]

    def problems(self, task: Task) -> list[str]:
        found = (
            [] if task.text("meets") in ("yes", "no") else ["Say whether it meets the criteria."]
        )
        return found + ([] if task.text("clarity") else ["Rate the clarity."])

    def finish(self, task: Task, flagged: bool) -> str:
        assert task.claim is not None
        answers = {"meets": task.text("meets"), "clarity": task.text("clarity")}
        self.keep(task, Work(outcome="label", answers=answers))
        said = [
            one["meets"]
            for one in task.session.scalars(
                select(Annotation.answers)
                .join(Slot, Slot.id == Annotation.slot_id)
                .where(Annotation.claim_id == task.claim.id, Slot.workflow == "validate")
            )
        ]
        needed = task.settings.assignment.validators
        if len(said) < needed:
            return ""
        if majority(said, needed // 2 + 1) != "yes":
            task.claim.state = "discarded"
            return ""
        # Kept claims are supported by construction; they go on to be extended and mutated.
        task.claim.state, task.claim.data = "kept", {**task.claim.data, "label": "SUPPORTED"}
        for workflow in ("extend", "mutate"):
            open_slots(task.session, task.claim, workflow, "regular", 1, 0.5)
        return ""


def candidates(corpus: Corpus, claim: Claim, seed: int) -> tuple[str, list[str]]:
    """Choose an entity of a claim, and up to five pages that speak of it.

    First the titles of the claim's own pages (method 1), then what these link to (method 2). A
    candidate links to the entity, is none of the claim's pages, and is not named in them.
    """
    titles = _titles(claim)
    pages = [corpus.page(title) for title in titles if title in corpus]
    own = {page.title for page in pages}
    told = " ".join(text for page in pages for text in page.texts())
    linked = [link.target for page in pages for _, link in page.links()]
    rng = rng_of(seed, "extend", claim.id)
    for entity in [*rng.sample(titles, len(titles)), *dict.fromkeys(linked)]:
        name = without_parenthesis(display_title(entity))
        if entity not in corpus or name not in claim.text:
            continue
        into = corpus.links_of(corpus.page(entity).title).into
        free = [
            one
            for one in into
            if one not in own and without_parenthesis(display_title(one)) not in told
        ]
        if free:
            return name, sorted(rng.sample(free, min(len(free), _MOST_CANDIDATES)))
    return "", []


class ExtendScreen(Screen):
    """An entity is replaced by what another page says of it: one hop more."""

    title = "Extend a claim"
    may_skip_source = True

    def _candidates(self, task: Task) -> tuple[str, list[str]]:
        assert task.claim is not None
        if "candidates" not in task.draft:
            found = candidates(task.bench.corpus, task.claim, task.settings.seed)
            task.draft["candidates"] = [found[0], found[1]]
        entity, titles = task.draft["candidates"]
        return entity, titles

    def begin(self, task: Task) -> None:
        self._candidates(task)

    def notes(self, task: Task) -> list[Note]:
        assert task.claim is not None
        entity, titles = self._candidates(task)
        at = task.claim.text.find(entity) if entity else -1
        marks = ((at, at + len(entity)),) if at >= 0 else ()
        notes = [Note("Claim", task.claim.text, marks=marks), Note("Entity to replace", entity)]
        for number, entry in enumerate(dictionary(task.bench.corpus, titles), 1):
            texts = tuple(text for _, text in entry.sentences)
            heading = f"Paragraph {number}: {display_title(entry.title)}"
            notes.append(Note(heading, items=texts, numbered=True))
        return notes

    def fields(self, task: Task) -> list[Field]:
        _, titles = self._candidates(task)
        pages = tuple((one, f"{n}: {display_title(one)}") for n, one in enumerate(titles, 1))
        return [
            Field(
                "understood",
                "Can you understand the claim? (Try anyway.)",
                "",
                "choice",
                _YES_NO,
                task.text("understood"),
            ),
            Field(
                "page",
                "Which paragraph did you use?",
                "",
                "choice",
                pages,
                task.text("page"),
                required=True,
            ),
            Field(
                "sentence",
                "Number of the one sentence you used",
                "",
                "number",
                value=task.text("sentence"),
                required=True,
            ),
            Field(
                "first",
                "First sentence",
                "The claim without the entity.",
                value=task.text("first"),
                hits=tuple(self._hits(task)),
                rule="extend",
                required=True,
            ),
            Field(
                "second",
                "Second sentence",
                "Linked to the first, by a word such as “he”.",
                value=task.text("second"),
                required=True,
            ),
            Field(
                "titled",
                "Does the claim contain the paragraph's title?",
                "",
                "choice",
                _YES_NO,
                task.text("titled"),
                required=True,
            ),
            Field(
                "sure",
                "Are you confident? (No penalty where there is no logical way.)",
                "",
                "choice",
                _YES_NO,
                task.text("sure"),
            ),
        ]

    def _hits(self, task: Task):  # type: ignore[no-untyped-def]
        assert task.claim is not None
        entity, _ = self._candidates(task)
        if not task.text("first") or not task.text("page"):
            return []
        return check_extension(
            task.text("first"),
            task.text("second"),
            original=task.claim.text,
            entity=entity,
            title=task.text("page"),
            says_title=task.text("titled") == "yes",
        )

    def problems(self, task: Task) -> list[str]:
        _, titles = self._candidates(task)
        if not titles:
            return ["No page can extend this claim. Skip it."]
        found = []
        if task.text("page") not in titles:
            found.append("Say which paragraph you used.")
        elif self._ref(task) is None:
            found.append("Give the number of the sentence you used.")
        if not task.text("first") or not task.text("second"):
            found.append("Write at least two sentences.")
        if task.text("titled") not in ("yes", "no"):
            found.append("Say whether the claim contains the title.")
        refused = {"entity-stays", "false-answer", "two-sentences"}
        found += [
            hit.message[:1].upper() + hit.message[1:] + "."
            for hit in self._hits(task)
            if hit.rule in refused
        ]
        return found

    def _ref(self, task: Task) -> str | None:
        entries = dictionary(task.bench.corpus, [task.text("page")])
        number = task.text("sentence")
        if not entries or not number.isdecimal():
            return None
        sentences = entries[0].sentences
        place = int(number) - 1
        return sentences[place][0] if 0 <= place < len(sentences) else None

    def finish(self, task: Task, flagged: bool) -> str:
        assert task.claim is not None
        entity, _ = self._candidates(task)
        ref, title = self._ref(task), task.text("page")
        text = f"{task.text('first')} {task.text('second')}"
        answers = {n: task.text(n) for n in ("understood", "titled", "sure")}
        answers["bonus"] = "yes" if contains_title(text, title) else "no"
        self.keep(task, Work(outcome="written", answers=answers))
        edge = [title, entity]
        data = {
            "facts": [*task.claim.data["facts"], ref],
            "edges": [*task.claim.data.get("edges", []), edge],
        }
        claim = add_claim(
            task.session,
            task.campaign,
            task.settings,
            text=text,
            author=task.person,
            parent=task.claim,
            operation="extension",
            hops=(task.claim.hops or 2) + 1,
            data=data,
        )
        open_slots(task.session, claim, "mutate", "regular", 1, 0.5)
        if (claim.hops or 0) < _MOST_HOPS:
            open_slots(task.session, claim, "extend", "regular", 1, 0.5)
        return ""


class HoverMutateScreen(Screen):
    """A person makes a claim more specific, more general, or negates it."""

    title = "Mutate a claim"
    may_skip_source = True

    def _mutation(self, task: Task) -> str:
        assert task.claim is not None
        drawn: random.Random = rng_of(task.settings.seed, "mutation", task.claim.id)
        return drawn.choice(_BY_PEOPLE)

    def notes(self, task: Task) -> list[Note]:
        assert task.claim is not None
        names = protected_names(_titles(task.claim))
        return [
            Note("Claim", task.claim.text),
            Note("Keep these as they are", items=tuple(n for n in names if n in task.claim.text)),
            Note(
                "Thumb rule",
                "More specific: if the mutation is true, the original is true. "
                "More general: if the original is true, the mutation is true. Change no place.",
            ),
        ]

    def _hits(self, task: Task):  # type: ignore[no-untyped-def]
        assert task.claim is not None
        value = task.text("mutant")
        if not value:
            return []
        names = protected_names(_titles(task.claim))
        hits = check_mutation(
            "hover", self._mutation(task), task.claim.text, value, protected=names
        )
        return [*hits, *(h for h in check_claim(value, "hover") if h.rule != "several-sentences")]

    def fields(self, task: Task) -> list[Field]:
        mutation = mutation_named("hover", self._mutation(task))
        return [
            Field(
                "mutant",
                mutation.title,
                f"{mutation.definition} So that {mutation.implication}.",
                value=task.text("mutant"),
                hits=tuple(self._hits(task)),
                rule="hover",
                good=mutation.good,
                bad=mutation.bad,
                required=True,
            ),
            Field(
                "escape",
                "I follow all rules, and it is refused all the same",
                "",
                "choice",
                (("yes", "yes"),),
                task.text("escape"),
            ),
        ]

    def problems(self, task: Task) -> list[str]:
        if not task.text("mutant"):
            return ["Write the mutated claim."]
        if task.text("escape") == "yes":
            return []
        return [hit.message[:1].upper() + hit.message[1:] + "." for hit in self._hits(task)]

    def finish(self, task: Task, flagged: bool) -> str:
        assert task.claim is not None
        escaped = bool(self._hits(task))
        self.keep(task, Work(outcome="written", answers={"escaped": escaped}))
        text = task.text("mutant")
        add_claim(
            task.session,
            task.campaign,
            task.settings,
            text=text,
            author=task.person,
            parent=task.claim,
            operation=self._mutation(task),
            hops=task.claim.hops,
            data={
                **{k: v for k, v in task.claim.data.items() if k != "label"},
                "changed": changed_spans(task.claim.text, text),
            },
        )
        return ""


class HoverLabelScreen(JudgeScreen):
    """Five people label a claim by its given paragraphs alone."""

    title = "Label a claim"
    navigates = False
    collects = False
    guide = (
        "Supported: the paragraphs, or your knowledge of the language, give strong reason. Refuted: "
        "it is impossible for the claim to be true, given the paragraphs. Not enough info: everything "
        "else. If unsure: is it possible for the claim to be true? Then it is not enough info. "
        "Common sense is allowed, encyclopaedic knowledge is not."
    )
    skips = ("not-understood", "typo", "unwilling")

    def paragraphs(self, task: Task) -> list[Entry]:
        assert task.claim is not None
        return dictionary(task.bench.corpus, _titles(task.claim))

    def marks(self, task: Task) -> list[tuple[int, int]]:
        assert task.claim is not None
        return [(start, end) for start, end in task.claim.data.get("changed", [])]
