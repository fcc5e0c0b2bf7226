"""A task at hand: its slot, its claim or source, and the draft that every action changes."""

from collections import Counter
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.errors import BadReference, InputError, NotAllowed, NotFound
from feverfew.store.campaigns import settings_of
from feverfew.store.claim_tables import Campaign, Claim, Source
from feverfew.store.people_tables import Person
from feverfew.store.settings import Settings
from feverfew.store.submit import Element, Work, log_operation
from feverfew.store.work_tables import Draft, Slot
from feverfew.types import Kind, Ref
from feverfew.workbench.bench import Bench
from feverfew.workbench.navigation import element_with_context

CHALLENGES = (
    "Multi-hop Reasoning",
    "Combining Tables and Text",
    "Numerical Reasoning",
    "Entity Disambiguation",
    "Search terms not in claim",
    "Other",
)
MOST_SETS = {"fever": 20, "feverous": 3, "hover": 1, "pool": 20}
_UNDOS = 20


class Task:
    """What a person is at work on."""

    def __init__(
        self,
        bench: Bench,
        session: Session,
        campaign: Campaign,
        slot: Slot,
        person: Person,
        draft: dict[str, Any],
    ) -> None:
        self.bench = bench
        self.session = session
        self.campaign = campaign
        self.settings: Settings = settings_of(campaign)
        self.slot = slot
        self.person = person
        self.draft = draft
        self.claim = session.get(Claim, slot.claim_id) if slot.claim_id else None
        self.source: Source | None = None
        wanted = slot.source_id or (self.claim.source_id if self.claim else None)
        if wanted is not None:
            self.source = session.get(Source, wanted)
        draft.setdefault("sets", [[]])
        draft.setdefault("active", 0)
        draft.setdefault("fields", {})
        draft.setdefault("trail", [])

    @property
    def address(self) -> str:
        return f"/work/{self.campaign.name}/t/{self.slot.id}"

    @property
    def practice(self) -> bool:
        """Whether this is a quiz or a calibration, in which nothing is skipped."""
        return self.slot.kind in ("quiz", "calibration")

    def text(self, name: str) -> str:
        """Return a field of the draft."""
        return str(self.draft["fields"].get(name, "")).strip()

    def log(self, name: str, value: str) -> None:
        """Log an operation as FEVEROUS names it."""
        log_operation(self.session, self.slot, self.person, name, value)

    def open_page(self, title: str, how: str) -> None:
        """Go to a page, and remember the way back."""
        if self.draft.get("page"):
            self.draft["trail"] = [*self.draft["trail"], self.draft["page"]][-50:]
        self.draft.update(page=title, found=False, find="")
        if how:
            self.log(how, title)
        self.log("Now on", title)

    def remember(self) -> None:
        """Keep the sets as they are, for undo."""
        past = [*self.draft.get("past", []), [list(one) for one in self.draft["sets"]]]
        self.draft["past"] = past[-_UNDOS:]

    def undo(self) -> None:
        """Take the last change of the sets back."""
        if past := self.draft.get("past", []):
            self.draft["sets"], self.draft["past"] = past[-1], past[:-1]

    def _known(self, name: str) -> str | None:
        """Return an element's official id; None for what the corpus does not have."""
        try:
            ref = Ref.parse(name)
            page = self.bench.corpus.page(ref.page)
        except (BadReference, NotFound):
            return None
        own = Ref(page.title, ref.kind, ref.position)
        chosen = ref.kind not in (Kind.TITLE, Kind.SECTION) and own in dict(page.elements())
        return str(own) if chosen else None

    def choose(self, sets: list[list[str]]) -> None:
        """Replace all sets at once, and log what changes."""
        if len(sets) > MOST_SETS[self.campaign.kind]:
            raise InputError(f"there may be {MOST_SETS[self.campaign.kind]} sets of evidence")
        made: list[list[str]] = []
        for one in sets:
            known = {name: self._known(name) for name in one}
            if missing := [name for name, own in known.items() if own is None]:
                raise InputError(f"the corpus has no element {missing[0]!r}")
            made.append(list(dict.fromkeys(own for own in known.values() if own)))
        before = {name for one in self.draft["sets"] for name in one}
        after = {name for one in made for name in one}
        self.remember()
        for name in sorted(after - before):
            self.log("Highlighting", name)
        for name in sorted(before - after):
            self.log("Highlighting deleted", name)
        self.draft["sets"], self.draft["active"] = made or [[]], 0

    def toggle(self, names: list[str]) -> None:
        """Put elements into the active set, or take them out if all are in it."""
        known = [own for name in names if (own := self._known(name))]
        if not known:
            return
        self.remember()
        chosen = list(self.draft["sets"][self.draft["active"]])
        removing = all(name in chosen for name in known)
        for name in known:
            if removing:
                chosen.remove(name)
            elif name not in chosen:
                chosen.append(name)
            self.log("Highlighting deleted" if removing else "Highlighting", name)
        self.draft["sets"][self.draft["active"]] = chosen

    def activate(self, number: int) -> None:
        """Choose the set that elements go into; the next one may be begun."""
        most = MOST_SETS[self.campaign.kind]
        number = max(0, min(number, len(self.draft["sets"]), most - 1))
        if number == len(self.draft["sets"]):
            self.draft["sets"] = [*self.draft["sets"], []]
        self.draft["active"] = number

    def sets(self) -> list[list[str]]:
        """Return the sets that hold something, in document order."""
        made = []
        for one in self.draft["sets"]:
            if one:
                made.append([str(ref) for ref in sorted(map(Ref.parse, one), key=_in_order)])
        return made

    def shared(self) -> set[str]:
        """Return the elements that are in more than one set."""
        counts = Counter(name for one in self.draft["sets"] for name in set(one))
        return {name for name, count in counts.items() if count > 1}

    def keep_draft(self) -> None:
        """Keep the draft of what was submitted."""
        self.session.merge(Draft(slot_id=self.slot.id, person_id=self.person.id, data=self.draft))

    def work(self, **more: Any) -> Work:
        """Return the draft as what is submitted."""
        sets = tuple(
            tuple(Element(name, element_with_context(self.bench.corpus, name)) for name in one)
            for one in self.sets()
        )
        return Work(
            sets=sets,
            verdict=self.draft.get("verdict") or None,
            challenge=self.draft.get("challenge", ""),
            note=self.text("note"),
            **more,
        )


def _in_order(ref: Ref) -> tuple[str, str, tuple[int, ...]]:
    return ref.page, ref.kind, ref.position


def load_task(
    bench: Bench, session: Session, campaign: Campaign, slot_id: int, person: Person
) -> Task:
    """Load a task that a person holds."""
    slot = session.get(Slot, slot_id)
    if slot is None or slot.campaign_id != campaign.id:
        raise NotFound(f"no task {slot_id}")
    if slot.person_id != person.id or slot.state not in ("leased", "done"):
        raise NotAllowed("this task is not yours; take the next one", known=True)
    draft = session.scalar(
        select(Draft).where(Draft.slot_id == slot.id, Draft.person_id == person.id)
    )
    return Task(bench, session, campaign, slot, person, dict(draft.data) if draft else {})
