"""FEVER's screens: writing true claims, six mutations, labelling with evidence."""

from typing import Any

from sqlalchemy import select

from feverfew.rules import MUTATIONS, Hit, check_claim, check_mutation
from feverfew.rules.mutations import changed_spans, is_trivial_negation
from feverfew.store.claim_tables import Claim
from feverfew.store.claims import add_claim
from feverfew.store.database import now
from feverfew.store.submit import Work
from feverfew.store.work_tables import Slot
from feverfew.text import display_title
from feverfew.workbench.fields import Field, Note, hits_in_words
from feverfew.workbench.navigation import dictionary
from feverfew.workbench.screens import FEVER_REASONS, JudgeScreen, Screen
from feverfew.workbench.tasks import Task

_EXAMPLES_GOOD = (
    ("The Amazon flows through Brazil.", "names the entity, one fact, ends with a period"),
    ("JFK was shot in Dallas.", "a common short name will do"),
)
_EXAMPLES_BAD = (
    ("It flows through Brazil.", "a pronoun instead of the entity"),
    ("The Amazon may be the longest river.", "cautious: nothing could refute it"),
    ("Many people live along the Amazon.", "vague: how many are many?"),
)


def _source_notes(task: Task) -> list[Note]:
    assert task.source is not None
    data = task.source.data
    entries = dictionary(task.bench.corpus, data["linked"], whole=False)
    return [
        Note("Entity", display_title(task.source.page)),
        Note("Source sentence", data["text"], data["before"], data["after"]),
        Note("Dictionary", entries=tuple(entries)),
    ]


class WriteScreen(Screen):
    """Task 1a: two to five true claims from a sentence."""

    title = "Write claims"
    may_skip_source = True

    def notes(self, task: Task) -> list[Note]:
        return _source_notes(task)

    def fields(self, task: Task) -> list[Field]:
        value = task.text("claims")
        lines = [line.strip() for line in value.splitlines() if line.strip()]
        hits = [
            hit
            for place, line in enumerate(lines)
            for hit in hits_in_words(line, self._check(task, line, lines[:place]))
        ]
        hint = "One claim a line, 2 to 5 claims, in about 2 minutes. Blank if none is possible."
        return [
            Field(
                "claims",
                "True claims about this entity",
                hint,
                "lines",
                value=value,
                hits=tuple(hits),
                rule="claim",
                good=_EXAMPLES_GOOD,
                bad=_EXAMPLES_BAD,
            )
        ]

    def _check(self, task: Task, line: str, others: list[str]) -> list[Hit]:
        assert task.source is not None
        data = task.source.data
        return check_claim(
            line,
            "fever",
            entity=task.source.page,
            names=data["linked"],
            sources=[data["text"]],
            others=others,
        )

    def problems(self, task: Task) -> list[str]:
        if task.text("claims") or task.draft.get("blank"):
            return []
        task.draft["blank"] = True  # asked once
        return ["There is no claim yet. Submit again to skip the sentence."]

    def finish(self, task: Task, flagged: bool) -> str:
        assert task.source is not None
        lines = [line.strip() for line in task.text("claims").splitlines() if line.strip()]
        if not lines:
            self.skip_source(task)
            return ""
        self.keep(task, Work(outcome="written", answers={"claims": len(lines)}))
        for line in dict.fromkeys(lines):
            add_claim(
                task.session,
                task.campaign,
                task.settings,
                text=line,
                author=task.person,
                source=task.source,
                entity=task.source.page,
                sources=[task.source.data["text"]],
                data={"facts": [task.source.data["ref"]]},
            )
        following = Slot(
            campaign_id=task.campaign.id,
            workflow="mutate",
            source_id=task.source.id,
            state="leased",
            person_id=task.person.id,
            leased_until=task.slot.leased_until or now(),
            started=now(),
        )
        task.session.add(following)
        task.session.flush()
        return f"/work/{task.campaign.name}/t/{following.id}"


class MutateScreen(Screen):
    """Task 1b: six mutations of each claim."""

    title = "Mutate claims"

    def _originals(self, task: Task) -> list[Claim]:
        assert task.source is not None
        query = select(Claim).where(
            Claim.source_id == task.source.id, Claim.operation == "original"
        )
        return list(task.session.scalars(query.order_by(Claim.id)))

    def notes(self, task: Task) -> list[Note]:
        ontology = (
            "Same kind, near: the UK → France (both are countries).",
            "Same kind, far: toured the UK → toured a museum (both are places).",
            "Another kind: toured the UK → attended a dinner (an event, no place).",
        )
        return [*_source_notes(task), Note("How similar is similar?", items=ontology)]

    def fields(self, task: Task) -> list[Field]:
        made = []
        for claim in self._originals(task):
            for mutation in MUTATIONS["fever"]:
                name = f"{mutation.name}-{claim.id}"
                value = task.text(name)
                hits = []
                for line in value.splitlines():
                    if line.strip():
                        own = check_claim(line, "fever", entity=claim.entity)
                        own += check_mutation("fever", mutation.name, claim.text, line)
                        hits += hits_in_words(line.strip(), own)
                negated = mutation.name == "negate" and is_trivial_negation(value)
                made.append(
                    Field(
                        name,
                        f"{mutation.title}: {claim.text}",
                        f"{mutation.definition} So that {mutation.implication}.",
                        "lines",
                        value=value,
                        hits=tuple(hits),
                        rule=mutation.name,
                        good=mutation.good,
                        bad=mutation.bad,
                        warn=negated,
                    )
                )
        return made

    def finish(self, task: Task, flagged: bool) -> str:
        self.keep(task, Work(outcome="written"))
        for claim in self._originals(task):
            for mutation in MUTATIONS["fever"]:
                for line in task.text(f"{mutation.name}-{claim.id}").splitlines():
                    if not line.strip():
                        continue
                    add_claim(
                        task.session,
                        task.campaign,
                        task.settings,
                        text=line,
                        author=task.person,
                        source=task.source,
                        parent=claim,
                        operation=mutation.name,
                        entity=claim.entity,
                        data={**claim.data, "changed": changed_spans(claim.text, line)},
                    )
        return ""


class LabelScreen(JudgeScreen):
    """Task 2: a verdict, and every set of sentences that settles the claim."""

    title = "Label a claim"
    guide = (
        "Given only the sentences you selected, do you have stronger reason to believe that the "
        "claim is true, or that it is false? If unsure, which sentence would have to be added?"
    )
    skips = FEVER_REASONS

    def answers(self, task: Task) -> dict[str, Any]:
        """Count the sentences that were expanded, as FEVER did."""
        return {"expanded": len(task.draft.get("visited", []))}

    def begin(self, task: Task) -> None:
        super().begin(task)
        # The page is known, the sentence that the claim was made from is not.
        if task.claim is not None and task.claim.entity in task.bench.corpus:
            task.open_page(task.bench.corpus.page(task.claim.entity).title, "")
