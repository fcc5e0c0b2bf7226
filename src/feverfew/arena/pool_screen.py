"""The screen on which drawn evidence is judged: blind to the system, and to the gold label."""

from feverfew.errors import BadReference, NotFound
from feverfew.text import display_title
from feverfew.types import Kind, Ref
from feverfew.workbench.navigation import Entry, element_texts, element_with_context
from feverfew.workbench.screens import JudgeScreen
from feverfew.workbench.tasks import Task
from feverfew.workbench.work_routes import SCREENS


class PoolScreen(JudgeScreen):
    """Does the returned evidence settle the claim, and which of it, alone or together?"""

    title = "Judge evidence"
    navigates = False
    guide = (
        "Given only these sentences, do you have stronger reason to believe that the claim is "
        "true, or that it is false? Mark those that say so; what is needed together is one set."
    )
    skips = ("ambiguous", "typo", "unwilling")

    def paragraphs(self, task: Task) -> list[Entry]:
        assert task.claim is not None
        by_page: dict[str, list[tuple[str, str]]] = {}
        for ref in map(Ref.parse, task.claim.data["refs"]):
            try:
                page = task.bench.corpus.page(ref.page).title
            except (BadReference, NotFound):
                page = ref.page
            own = str(Ref(page, ref.kind, ref.position))
            by_page.setdefault(page, []).append((own, _text(task, own, ref.kind)))
        return [Entry(page, tuple(rows)) for page, rows in by_page.items()]

    def problems(self, task: Task) -> list[str]:
        found = super().problems(task)
        given = {ref for entry in self.paragraphs(task) for ref, _ in entry.sentences}
        if any(ref not in given for one in task.draft["sets"] for ref in one):
            found.append("Only the sentences that are shown can be marked.")
        return found


def _text(task: Task, name: str, kind: Kind) -> str:
    """Return an element's text; that of a cell with its headers."""
    corpus = task.bench.corpus
    text = element_texts(corpus, [name])[name] or "(not in the corpus)"
    if kind is Kind.SENTENCE:
        return text
    around = [ref for ref in element_with_context(corpus, name) if "cell" in ref]
    headers = [said for said in element_texts(corpus, around).values() if said]
    return f"{text} ({'; '.join(headers)})" if headers else f"{text} ({display_title(kind.value)})"


SCREENS["pool", "pool"] = PoolScreen()
