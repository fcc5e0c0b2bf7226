"""FEVEROUS's screens: three claims for a highlight, and evidence from text and tables."""

from feverfew.rules import check_claim, check_mutation, mutation_named
from feverfew.rules.mutations import changed_spans
from feverfew.store.claim_tables import Claim
from feverfew.store.claims import add_claim
from feverfew.store.submit import Work
from feverfew.text import display_title
from feverfew.types import Ref
from feverfew.workbench.fields import Field, Note
from feverfew.workbench.navigation import element_texts
from feverfew.workbench.screens import FEVEROUS_REASONS, JudgeScreen, Screen
from feverfew.workbench.tasks import CHALLENGES, Task

_TYPES = ("I", "II", "III")


class HighlightScreen(Screen):
    """Three claims from four sentences or a table."""

    title = "Write claims from a highlight"
    navigates = True
    may_skip_source = True

    def begin(self, task: Task) -> None:
        assert task.source is not None
        task.log("start", "start")
        task.open_page(task.source.page, "")

    def _texts(self, task: Task) -> list[str]:
        assert task.source is not None
        refs = task.source.data["refs"]
        if not task.source.data["table"]:
            return list(element_texts(task.bench.corpus, refs).values())
        index = Ref.parse(refs[0]).position[0]
        page = task.bench.corpus.page(task.source.page)
        table = next(t for t in page.tables if t.index == index)
        rows = [" | ".join(cell.text for cell in row) for row in table.rows]
        return [f"Table: {table.caption or display_title(page.title)}", *rows]

    def notes(self, task: Task) -> list[Note]:
        assert task.source is not None
        return [Note("Highlight", display_title(task.source.page), items=tuple(self._texts(task)))]

    def _asks(self, task: Task) -> dict[str, str]:
        assert task.source is not None
        data = task.source.data
        how = (
            "combine cells by comparing, filtering, counting or adding"
            if data["table"]
            else "combine the sentences; do not paraphrase one of them"
        )
        pages = "several pages" if data["several_pages"] else "the same page"
        mutation = mutation_named("feverous", data["mutation"])
        return {
            "I": f"From the highlight alone: {how}. It must be {data['veracity']}.",
            "II": f"With information beyond the highlight, from {pages}. True or false.",
            "III": f"Mutate claim I or II: {mutation.title}. {mutation.definition}",
        }

    def fields(self, task: Task) -> list[Field]:
        assert task.source is not None
        asks, sources = self._asks(task), self._texts(task)
        challenges = tuple((one, one) for one in CHALLENGES)
        made = []
        for name in _TYPES:
            value = task.text(f"claim-{name}")
            others = [task.text(f"claim-{one}") for one in _TYPES if one != name]
            hits = []
            if value:
                own = sources if name == "I" else []
                hits = check_claim(value, "feverous", sources=own, others=others)
            if name == "III" and value and (base := self._base(task)):
                hits += check_mutation("feverous", task.source.data["mutation"], base, value)
            label = f"Claim {name}"
            made.append(
                Field(
                    f"claim-{name}",
                    label,
                    asks[name],
                    value=value,
                    hits=tuple(hits),
                    rule="claim",
                    required=True,
                )
            )
            if name == "III":
                made.append(
                    Field(
                        "base",
                        "Claim III mutates",
                        kind="choice",
                        options=(("I", "claim I"), ("II", "claim II")),
                        value=task.text("base") or "I",
                    )
                )
            made.append(
                Field(
                    f"challenge-{name}",
                    f"Expected main challenge of claim {name}",
                    kind="choice",
                    options=challenges,
                    value=task.text(f"challenge-{name}"),
                    required=True,
                )
            )
        return made

    def _base(self, task: Task) -> str:
        return task.text("claim-II" if task.text("base") == "II" else "claim-I")

    def problems(self, task: Task) -> list[str]:
        found = [f"Claim {n} is missing." for n in _TYPES if not task.text(f"claim-{n}")]
        for name in _TYPES:
            if task.text(f"challenge-{name}") not in CHALLENGES:
                found.append(f"Choose the expected challenge of claim {name}.")
        return found

    def finish(self, task: Task, flagged: bool) -> str:
        assert task.source is not None
        data = task.source.data
        self.keep(task, Work(outcome="written"))
        made: dict[str, Claim] = {}
        for name in _TYPES:
            text = task.text(f"claim-{name}")
            parent = made["II" if task.text("base") == "II" else "I"] if name == "III" else None
            more: dict[str, object] = {"veracity": data["veracity"]} if name == "I" else {}
            if parent is not None:
                more = {"mutation": data["mutation"]}
                more["changed"] = changed_spans(parent.text, text)
            made[name] = add_claim(
                task.session,
                task.campaign,
                task.settings,
                text=text,
                author=task.person,
                source=task.source,
                parent=parent,
                operation=name,
                challenge=task.text(f"challenge-{name}"),
                data=more,
            )
        return ""


class VerifyScreen(JudgeScreen):
    """A verdict with up to three sets of sentences, cells, captions and items."""

    title = "Verify a claim"
    guide = (
        "Given only what you selected, is the reason strong enough? Supported needs every part of "
        "the claim covered; refuted needs one part refuted. If you are unsure between refuted and "
        "not enough info: would you consider yourself misled by the claim, given the evidence? "
        "Yes means refuted. Not enough info needs evidence too: the most relevant you found."
    )
    skips = FEVEROUS_REASONS
    challenges = CHALLENGES

    def needs_evidence(self, verdict: str) -> bool:
        return True
