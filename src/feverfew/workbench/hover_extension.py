"""HoVer's hop extension: an entity of a claim is replaced by what another page says of it."""

from feverfew.corpus import Corpus
from feverfew.rules import Hit
from feverfew.rules.hover import check_extension, contains_title
from feverfew.rules.sampling import rng_of
from feverfew.store.claim_tables import Claim
from feverfew.store.claims import add_claim, open_slots
from feverfew.store.submit import Work
from feverfew.text import display_title, without_parenthesis
from feverfew.types import Ref
from feverfew.workbench.fields import Field, Note
from feverfew.workbench.navigation import dictionary
from feverfew.workbench.screens import Screen
from feverfew.workbench.tasks import Task

YES_NO = (("yes", "yes"), ("no", "no"))
_MOST_CANDIDATES, _MOST_HOPS = 5, 4


def titles_of(claim: Claim) -> list[str]:
    """Return the pages of a claim's supporting facts."""
    return list(dict.fromkeys(Ref.parse(one).page for one in claim.data.get("facts", [])))


def candidates(corpus: Corpus, claim: Claim, seed: int) -> tuple[str, list[str]]:
    """Choose an entity of a claim, and up to five pages that speak of it.

    First the titles of the claim's own pages (method 1), then what these link to (method 2). A
    candidate links to the entity, is none of the claim's pages, and is not named in them.
    """
    titles = titles_of(claim)
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
                YES_NO,
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
                YES_NO,
                task.text("titled"),
                required=True,
            ),
            Field(
                "sure",
                "Are you confident? (No penalty where there is no logical way.)",
                "",
                "choice",
                YES_NO,
                task.text("sure"),
            ),
        ]

    def _hits(self, task: Task) -> list[Hit]:
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
