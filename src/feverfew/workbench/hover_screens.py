"""HoVer's screens: claims from questions, validation, longer chains, mutations, labels."""

import random

from sqlalchemy import select

from feverfew.rules import Hit, check_claim, check_mutation, majority, mutation_named
from feverfew.rules.hover import check_creation, protected_names
from feverfew.rules.mutations import changed_spans
from feverfew.rules.sampling import rng_of
from feverfew.store.claims import add_claim, open_slots
from feverfew.store.submit import Work
from feverfew.store.work_tables import Annotation, Slot
from feverfew.types import Ref
from feverfew.workbench.fields import Field, Note
from feverfew.workbench.hover_extension import YES_NO, titles_of
from feverfew.workbench.navigation import Entry, dictionary
from feverfew.workbench.screens import JudgeScreen, Screen
from feverfew.workbench.tasks import Task

_BY_PEOPLE = ("specific", "general", "negate")
"""The mutations that people make; the others are made by machine."""


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
        assert task.source is not None
        assert task.claim is not None
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
                YES_NO,
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
        names = protected_names(titles_of(task.claim))
        return [
            Note("Claim", task.claim.text),
            Note("Keep these as they are", items=tuple(n for n in names if n in task.claim.text)),
            Note(
                "Thumb rule",
                "More specific: if the mutation is true, the original is true. "
                "More general: if the original is true, the mutation is true. Change no place.",
            ),
        ]

    def _hits(self, task: Task) -> list[Hit]:
        assert task.claim is not None
        value = task.text("mutant")
        if not value:
            return []
        names = protected_names(titles_of(task.claim))
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
        "Supported: the paragraphs, or your knowledge of the language, give strong reason. "
        "Refuted: the claim cannot be true, given the paragraphs. Not enough info: everything "
        "else. If unsure: is it possible for the claim to be true? Then it is not enough info. "
        "Common sense is allowed, encyclopaedic knowledge is not."
    )
    skips = ("not-understood", "typo", "unwilling")

    def paragraphs(self, task: Task) -> list[Entry]:
        assert task.claim is not None
        return dictionary(task.bench.corpus, titles_of(task.claim))

    def marks(self, task: Task) -> list[tuple[int, int]]:
        assert task.claim is not None
        return [(start, end) for start, end in task.claim.data.get("changed", [])]
