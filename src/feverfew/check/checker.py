"""Checker: claims in, reports out. Retrieve pages, select sentences, judge, explain."""

import time
from collections.abc import Sequence
from itertools import compress
from pathlib import Path

from msgspec.structs import replace

from feverfew.check.chained import Chains
from feverfew.check.explain import ClaimResult, consistent, explain, not_checked, whole
from feverfew.check.table_report import left_open, with_table
from feverfew.check.tables import TableReader
from feverfew.corpus import Corpus
from feverfew.english.checkability import reject_reason, tidy
from feverfew.english.decompose import facts_of, sentences_of
from feverfew.judge import Judge, SelectedEvidence
from feverfew.judge.judge import pieces_of
from feverfew.retrieve import Hops, Ranked, Retriever
from feverfew.retrieve.cached import CachedRetriever
from feverfew.select import PAGES, Sentences
from feverfew.tables.ranking import TABLES
from feverfew.types import Kind, OpenReason, Report, Verdict

__all__ = ["Checker"]

_READ = 8
"""Pieces that the encoder reads; those that matter most are judged."""


class Checker:
    """The whole way from a claim to its report, with corpus and model open."""

    def __init__(
        self, corpus: Corpus, judge: Judge, *, hops: bool = False, tables: int = TABLES
    ) -> None:
        self.corpus = corpus
        self.judge = judge
        # Tables are sought on the pages that rounds have found, without searching again.
        self._retriever: Retriever = (
            CachedRetriever(Hops.open(corpus, judge.encoder)) if hops else Ranked.open(corpus)
        )
        self._chains = Chains.open(corpus, judge, self._retriever) if hops else None
        self._selector = Sentences.open(corpus)
        self.tables = TableReader(corpus, self._retriever, judge, tables)

    @classmethod
    def open(
        cls,
        directory: Path | str | None = None,
        model: Path | str | None = None,
        threads: int | None = None,
        *,
        hops: bool = False,
        reading: str = "fever",
        tables: int = TABLES,
    ) -> "Checker":
        """Open a corpus and a model; without them, the sample and the shipped model.

        With `hops`, pages are searched in rounds, for claims that need up to four of them.
        `reading` says when a claim is refuted: as in FEVER, or as in FEVEROUS.
        `tables` are looked at for each claim that texts leave open; none with 0.
        """
        judge = Judge.open(Path(model) if model else None, threads, reading)
        corpus = Corpus.sample() if directory is None else Corpus.open(directory)
        return cls(corpus, judge, hops=hops, tables=tables)

    def __enter__(self) -> "Checker":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the corpus."""
        self.corpus.close()

    @property
    def fingerprint(self) -> str:
        """Names all weights: equal for equal models."""
        own = self.tables.fingerprint
        return f"{own}-{self._chains.fingerprint}" if self._chains else own

    def look(self, claims: Sequence[str], *, sentences_only: bool = False) -> list[ClaimResult]:
        """Find evidence for claims and judge it, without explaining anything.

        FEVER and HoVer can cite sentences only; elsewhere, items of lists are evidence too.
        """
        if self._chains is not None:
            return self._chains.look(claims, sentences_only=sentences_only)
        start = time.perf_counter()
        chosen = self.choose(claims, sentences_only=sentences_only)
        middle = time.perf_counter()
        judged = self.judge.judge_chosen(chosen)
        share = 1 / max(1, len(claims))
        seconds = {
            "find": (middle - start) * share,
            "judge": (time.perf_counter() - middle) * share,
        }
        return [
            ClaimResult(claim, own, judgement, seconds)
            for claim, own, judgement in zip(claims, chosen, judged, strict=True)
        ]

    def choose(
        self, claims: Sequence[str], *, sentences_only: bool = False
    ) -> list[SelectedEvidence]:
        """Find the pieces of evidence that claims are judged by."""
        pages = self._retriever.retrieve(claims, PAGES)
        near = [
            [e for e in own if not sentences_only or e.ref.kind is Kind.SENTENCE]
            for own in self._selector.select(claims, pages, 2 * _READ)
        ]
        return self.judge.choose(claims, [own[:_READ] for own in near])

    def check(self, claims: Sequence[str]) -> list[Report]:
        """Check claims; what is said of one with several sentences follows from its parts."""
        tidied = [tidy(claim) for claim in claims]
        reasons = [reject_reason(claim) for claim in tidied]
        parts = [
            [] if reason else [text for text in self._parts(claim) if not reject_reason(text)]
            for claim, reason in zip(tidied, reasons, strict=True)
        ]
        reports = iter(self._statements([text for own in parts for text in own]))
        checked = []
        for claim, reason, own in zip(tidied, reasons, parts, strict=True):
            found = [next(reports) for _ in own]
            if reason or not found:
                report = not_checked(claim, reason or "nothing to check")
            else:
                report = replace(found[0], claim=claim) if len(found) == 1 else whole(claim, found)
            checked.append(
                replace(
                    report,
                    corpus=self.corpus.fingerprint,
                    model=self.fingerprint,
                    label_policy=self.judge.rule.name,
                )
            )
        return checked

    def _parts(self, claim: str) -> list[str]:
        """Split a claim into sentences, unless they are searched for together, in rounds."""
        return [claim] if self._chains else [part.text for part in sentences_of(claim)]

    def _statements(self, claims: Sequence[str]) -> list[Report]:
        """Check single statements."""
        looked = self.look(claims)
        reports = [explain(*one) for one in zip(looked, self._decisive(looked), strict=True)]
        reports = reports if self._chains else self._by_facts(reports)
        return self._with_tables(reports, looked)

    def _with_tables(
        self, reports: Sequence[Report], looked: Sequence[ClaimResult]
    ) -> list[Report]:
        """Ask tables where texts leave a claim open."""
        still_open = [left_open(report) for report in reports]
        asked = list(compress(looked, still_open))
        texts = [pieces_of(one.evidence) for one in asked]
        tables = iter(self.tables.look([one.claim for one in asked], texts))
        return [
            with_table(report, next(tables), one) if asks else report
            for report, asks, one in zip(reports, still_open, looked, strict=True)
        ]

    def _decisive(self, looked: Sequence[ClaimResult]) -> list[set[int]]:
        """Say, of the pieces that verdicts rest on, without which the verdict would be another."""
        if self._chains is not None:
            return self._chains.decisive(looked)
        asked = [(number, at) for number, one in enumerate(looked) for at in consistent(one)]
        without = self.judge.without([(looked[number].chosen, at) for number, at in asked])
        found: list[set[int]] = [set() for _ in looked]
        for (number, at), verdict in zip(asked, without, strict=True):
            if verdict is not looked[number].judgement.verdict:
                found[number].add(at)
        return found

    def _by_facts(self, reports: list[Report]) -> list[Report]:
        """Look again at open claims that state several facts, one by one: the whole follows."""
        facts = [
            [part.text for part in facts_of(report.claim)]
            if report.open_reason is OpenReason.SILENT
            else []
            for report in reports
        ]
        facts = [own if len(own) > 1 else [] for own in facts]
        looked = iter(self.look([fact for own in facts for fact in own]))
        found = []
        for report, own in zip(reports, facts, strict=True):
            seen = [next(looked) for _ in own]
            parts = [explain(one, set()) for one in seen]
            if any(part.verdict is not Verdict.NOT_ENOUGH_INFO for part in parts):
                # Texts settle a part: a table may settle another, and both are needed.
                report = whole(report.claim, self._with_tables(parts, seen))
            found.append(report)
        return found
