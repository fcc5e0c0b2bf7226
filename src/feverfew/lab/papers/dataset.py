"""What experiments run on: a corpus, claims to measure and to tune on, pairs to learn from.

Either the papers' data in a folder, or the sample encyclopedia, on which everything runs in a
minute and figures mean nothing. Both keep claims about one page in one part.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.lab.papers.cache import Cache, fingerprint
from feverfew.lab.papers.feverous_data import SETS, lacking, real_claims, sample_set
from feverfew.lab.train.datasets import development, is_test, is_tuning, read_rows
from feverfew.readers.claims import read_claims
from feverfew.sample import sample_claims
from feverfew.text import detokenise, title_key, words
from feverfew.types import Claim, Kind, Verdict

_LABELS = "SRN"
_NLI = {
    "snli": ("snli_cad", "snli_devtest"),
    "nli": ("snli_devtest", "mnli_dev", "mnli_llmsknow", "fever_train", "fever_train_nei_mined"),
}
"""Pairs with evidence: those of SNLI, and those that FEVEROUS's paper learns first."""
_TOGETHER = 5
"""Gold sentences of one claim that are learned from at most."""


class ClaimSet(Struct, frozen=True):
    """Claims to measure on."""

    task: str
    claims: list[Claim]
    whole: frozenset[int | str]
    """Those whose gold pages are whole, so that choosing sentences is a choice."""


class Example(Struct, frozen=True):
    """A claim, its evidence as one text, and the label: 0 supported, 1 refuted, 2 open."""

    claim: str
    text: str
    label: int


class TrainingPairs(Struct, frozen=True):
    """What networks learn from: claims with evidence and a label, and open claims without any."""

    pairs: list[Example]
    nei_claims: list[str]


class Dataset(Protocol):
    """Where claims and training pairs come from."""

    name: str
    corpus: Corpus
    quick: bool
    fingerprint: str
    """Names the corpus and the data: equal for equal ones."""

    def claims(self, name: str) -> ClaimSet: ...

    def lacks(self, name: str) -> str: ...

    def training_pairs(self, learn: str) -> TrainingPairs: ...


class PaperDataset:
    """The papers' data, as far as it is available, and a corpus built from it."""

    quick = False

    def __init__(self, data: Path, corpus: Corpus, cache: Cache) -> None:
        if not data.is_dir():
            raise InputError(f"{data} is no folder; give the one with fever/ and nli/ in it")
        self._data, self.corpus, self._cache = data, corpus, cache
        self.name = f"{round(len(corpus) / 1000):,}k-page world"
        files = sorted(path for path in data.rglob("*.gz") if path.is_file())
        sizes = [(str(path.relative_to(data)), path.stat().st_size) for path in files]
        self.fingerprint = fingerprint(corpus.fingerprint, sizes)

    def claims(self, name: str) -> ClaimSet:
        """Read a set of claims that no part has learned from."""
        makers: dict[str, Callable[[], ClaimSet]] = {
            "fever": lambda: self._fever(tuning=False),
            "fever-tuning": lambda: self._fever(tuning=True),
            "hover": lambda: self._hover(test=True),
            "hover-training": lambda: self._hover(test=False),
            **{own: partial(self._feverous, own) for own in SETS},
        }
        if name not in makers:
            raise InputError(f"no claims are called {name!r}; there are {', '.join(makers)}")
        key = (name, self.fingerprint)
        return self._cache.value("claims", key, ClaimSet, makers[name])

    def lacks(self, name: str) -> str:
        """Say why a set cannot be measured on this corpus, or nothing."""
        return lacking(name, self._data, self.corpus)

    def _fever(self, *, tuning: bool) -> ClaimSet:
        found = development(self._data, self.corpus)
        return ClaimSet("fever", found.tuning if tuning else found.report, found.full_pages)

    def _feverous(self, name: str) -> ClaimSet:
        # No page of FEVEROUS is whole: there is no such part to tell.
        return ClaimSet("feverous", real_claims(name, self._data, self.corpus), frozenset())

    def _hover(self, *, test: bool) -> ClaimSet:
        path = self._data / "hover/claims.jsonl.gz"
        complete = {row["uid"] for row in read_rows(path) if row.get("text_complete")}
        read = [c for c in read_claims(path, "hover") if c.id in complete]
        kept = [claim for claim in read if is_test(claim.group) == test]
        return ClaimSet("hover", kept, frozenset(claim.id for claim in kept))

    def training_pairs(self, learn: str) -> TrainingPairs:
        """Read FEVER's training claims, which share no page with those measured, or NLI."""
        if learn in _NLI:
            rows = [r for n in _NLI[learn] for r in self._nli(n)]
            pairs = [Example(r["claim"], r["evidence"], _LABELS.index(r["label"])) for r in rows]
            return TrainingPairs(pairs, [])
        never = {_key(row["claim"]) for row in read_rows(self._data / "fever/dev.jsonl.gz")}
        settled = [
            Example(
                row["claim"],
                detokenise(" ".join(row["ev_sents"][:_TOGETHER])),
                _LABELS.index(row["label"]),
            )
            for row in self._nli("fever_train")
            if _key(row["claim"]) not in never
        ]
        still_open = [row["claim"] for row in self._nli("fever_train_nei_claims_only")]
        return TrainingPairs(settled, [claim for claim in still_open if _key(claim) not in never])

    def _nli(self, name: str) -> Iterator[dict[str, Any]]:
        return read_rows(self._data / f"nli/{name}.jsonl.gz")


class SampleDataset:
    """The sample encyclopedia and its claims: to try everything, not to measure anything."""

    quick, name = True, "sample encyclopedia (a trial: its figures mean nothing)"

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        texts = [path.read_text("utf-8") for path in sample_claims()]
        self.fingerprint = fingerprint(corpus.fingerprint, texts)

    def claims(self, name: str) -> ClaimSet:
        """Take the claims on pages for reporting; claims over several pages stand in for HoVer."""
        if name in SETS:
            return ClaimSet("feverous", sample_set(name), frozenset())
        tuning = name in ("fever-tuning", "hover-training")
        found = [c for c in self._claims() if is_tuning(c.group) == tuning]
        if name.startswith("hover"):
            found = [
                replace(c, label=c.label if c.label is Verdict.SUPPORTED else Verdict.NOT_SUPPORTED)
                for c in found
                if c.evidence and len({ref.page for ref in c.evidence[0]}) > 1
            ]
        return ClaimSet(name.partition("-")[0], found, frozenset(claim.id for claim in found))

    def lacks(self, name: str) -> str:
        """Lack nothing."""
        return ""

    def training_pairs(self, learn: str) -> TrainingPairs:
        """Learn from the claims for tuning."""
        own = [c for c in self._claims() if is_tuning(c.group)]
        settled = [
            Example(c.text, " ".join(self.corpus.element(ref) for ref in c.evidence[0]), at)
            for c in own
            for at, label in enumerate((Verdict.SUPPORTED, Verdict.REFUTED))
            if c.label is label
        ]
        return TrainingPairs(settled, [c.text for c in own if c.label is Verdict.NOT_ENOUGH_INFO])

    def _claims(self) -> list[Claim]:
        """Read the claims that sentences settle, and the open ones."""
        found = []
        for path in sample_claims():
            for claim in read_claims(path, "feverous"):
                sets = tuple(s for s in claim.evidence if all(r.kind is Kind.SENTENCE for r in s))
                if claim.label is Verdict.NOT_ENOUGH_INFO:
                    anchor = claim.evidence[0][0].page if claim.evidence else claim.text
                    found.append(replace(claim, evidence=(), group=title_key(anchor)))
                elif sets:
                    anchor = min(title_key(ref.page) for refs in sets for ref in refs)
                    hops = len({ref.page for ref in sets[0]})
                    found.append(replace(claim, evidence=sets, group=anchor, hops=hops))
        return found


def _key(text: str) -> str:
    return " ".join(words(text))
