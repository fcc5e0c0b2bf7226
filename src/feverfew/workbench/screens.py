"""The screens' common part: what each workflow shows, asks for, refuses and keeps."""

from typing import Any

from feverfew.errors import InputError
from feverfew.store.quality import grade_annotation
from feverfew.store.submit import Work, revise, submit
from feverfew.store.work_tables import Annotation
from feverfew.workbench.fields import Field, Note
from feverfew.workbench.helping import draw_arm
from feverfew.workbench.navigation import Entry
from feverfew.workbench.tasks import Task

FEVER_REASONS = ("ambiguous", "guidelines", "typo", "unwilling")
FEVEROUS_REASONS = ("unverifiable", "guidelines", "typo", "display")


class Screen:
    """A writing screen; judging ones say more."""

    title = ""
    judging = False
    navigates = False
    """Whether the corpus may be searched."""
    skips: tuple[str, ...] = ()
    may_skip_source = False
    guide = ""
    verdicts: tuple[tuple[str, str, str], ...] = ()
    """Each with the words for it, and its key."""
    challenges: tuple[str, ...] = ()

    def start(self, task: Task) -> None:
        """Begin a task, unless that was done."""
        if not task.draft.get("begun"):
            self.begin(task)
            task.draft["begun"] = True

    def begin(self, task: Task) -> None:
        """Fill a new draft."""

    def notes(self, task: Task) -> list[Note]:
        """Return what is to be read."""
        return []

    def paragraphs(self, task: Task) -> list[Entry]:
        """Return the paragraphs that alone may be used, where there are such."""
        return []

    def fields(self, task: Task) -> list[Field]:
        """Return what is to be filled in, with the rules that are broken."""
        return []

    def problems(self, task: Task) -> list[str]:
        """Return what stands in the way of submitting."""
        return []

    def finish(self, task: Task, flagged: bool) -> str:
        """Keep the work, and return where to go next; "" for the next task."""
        raise NotImplementedError

    def keep(self, task: Task, work: Work) -> Annotation:
        """Submit work, or correct what was submitted; grade it where it is a test."""
        arguments = task.session, task.campaign, task.settings, task.slot, task.person, work
        if task.slot.state == "done":
            return revise(*arguments)
        task.log("finish", "finish")
        annotation = submit(*arguments)
        grade_annotation(task.session, task.campaign, task.settings, task.slot, annotation)
        return annotation

    def skip_source(self, task: Task) -> None:
        """Give a source up: it is counted, and not served again."""
        self.keep(task, Work(outcome="skip", note=task.text("note")))


class JudgeScreen(Screen):
    """A screen on which a claim gets a verdict."""

    judging = True
    navigates = True
    collects = True
    """Whether evidence is chosen."""
    verdicts = (
        ("SUPPORTED", "Supported", "s"),
        ("REFUTED", "Refuted", "r"),
        ("NOT ENOUGH INFO", "Not enough info", "n"),
    )

    def begin(self, task: Task) -> None:
        task.log("start", "start")

    def marks(self, task: Task) -> list[tuple[int, int]]:
        """Return the words of the claim that are highlighted."""
        return []

    def problems(self, task: Task) -> list[str]:
        """Refuse what cannot be an annotation."""
        found = []
        sets = [one for one in task.draft["sets"] if one]
        verdict = task.draft.get("verdict")
        if verdict not in [name for name, _, _ in self.verdicts]:
            found.append("Choose a verdict.")
        if self.collects and not sets and self.needs_evidence(str(verdict)):
            found.append("Choose at least one piece of evidence.")
        if self.collects and sets and not task.draft["sets"][0]:
            found.append("Set 1 is empty while another is not.")
        if len({frozenset(one) for one in sets}) < len(sets):
            found.append("Two sets are identical.")
        if self.challenges and task.draft.get("challenge") not in self.challenges:
            found.append("Choose the main challenge.")
        return found

    def needs_evidence(self, verdict: str) -> bool:
        """Say whether a verdict needs evidence."""
        return verdict != "NOT ENOUGH INFO"

    def finish(self, task: Task, flagged: bool) -> str:
        correcting = task.slot.state == "done"
        kept = self.keep(
            task, task.work(outcome="label", flagged=flagged, answers=self.answers(task))
        )
        if self.collects and not correcting and draw_arm(task, kept) == "asked":
            return f"{task.address}/missed"
        return ""

    def answers(self, task: Task) -> dict[str, Any]:
        """Return the answers to further questions."""
        return {}

    def skip(self, task: Task, reasons: tuple[str, ...]) -> None:
        """Skip or report a claim."""
        if task.practice:
            raise InputError("nothing can be skipped here")
        if not reasons or any(reason not in self.skips for reason in reasons):
            raise InputError("choose why the claim is skipped")
        outcome = "skip" if reasons == ("unwilling",) else "report"
        self.keep(task, Work(outcome=outcome, reasons=reasons, note=task.text("note")))
