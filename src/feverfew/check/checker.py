"""Checker: claims in, reports out."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from feverfew.check.explain import explain, not_checked
from feverfew.check.pipeline import MAX_HOPS, MAX_TABLES, ClaimResult, Pipeline
from feverfew.corpus import Corpus
from feverfew.english.checkability import reject_reason, tidy
from feverfew.errors import InputError
from feverfew.judge import Judge
from feverfew.judge.external import with_external
from feverfew.models.weights_io import shipped_fingerprint
from feverfew.types import Report

__all__ = ["MIN_CONFIDENCE", "Checker"]

MIN_CONFIDENCE = 0.4
"""Verdicts with a lower probability are reported as NOT ENOUGH INFO, with their leaning."""


class Checker:
    """Checks claims with an open corpus and model."""

    def __init__(
        self,
        corpus: Corpus,
        judge: Judge,
        *,
        max_hops: int = MAX_HOPS,
        max_tables: int = MAX_TABLES,
        min_confidence: float = MIN_CONFIDENCE,
    ) -> None:
        self.corpus = corpus
        self.judge = judge
        self._min_confidence = min_confidence
        self._bounds = (max_hops, max_tables)
        self._pipeline = Pipeline(corpus, judge, max_hops=max_hops, max_tables=max_tables)

    @classmethod
    def open(
        cls,
        corpus: Path | str | None = None,
        model: Path | str | None = None,
        threads: int | None = None,
        *,
        max_hops: int = MAX_HOPS,
        max_tables: int = MAX_TABLES,
        label_policy: str = "fever",
        min_confidence: float = MIN_CONFIDENCE,
        judge: str | None = None,
        judge_model: str = "",
        judge_calibration: Path | str | None = None,
    ) -> "Checker":
        """Open a corpus and a model; without them, the sample and the shipped model.

        `max_hops` limits how many pages a claim may need, `max_tables` how many tables are read.
        `label_policy` says when a claim is refuted: as in FEVER, or as in FEVEROUS. Verdicts below
        `min_confidence` are reported as NOT ENOUGH INFO, with their leaning. `judge` is the URL of
        an OpenAI-compatible endpoint whose `judge_model` replaces the large encoder.
        """
        if not 1 <= max_hops <= MAX_HOPS:
            raise InputError(f"max_hops must be from 1 to {MAX_HOPS}, not {max_hops}")
        opened = Judge.open(model, threads, label_policy)
        if judge:
            opened = with_external(opened, judge, judge_model, judge_calibration)
        return cls(
            Corpus.sample() if corpus is None else Corpus.open(corpus),
            opened,
            max_hops=max_hops,
            max_tables=max_tables,
            min_confidence=min_confidence,
        )

    def over(self, corpus: Corpus) -> "Checker":
        """Return a checker over another corpus, with the same model and settings."""
        return self._with(corpus, self.judge)

    def with_label_policy(self, name: str, model: Path | str | None = None) -> "Checker":
        """Return a checker over the same corpus handle with another label policy."""
        return self._with(self.corpus, self.judge.with_policy(name, model))

    def _with(self, corpus: Corpus, judge: Judge) -> "Checker":
        hops, tables = self._bounds
        return Checker(
            corpus,
            judge,
            max_hops=hops,
            max_tables=tables,
            min_confidence=self._min_confidence,
        )

    def __enter__(self) -> "Checker":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the corpus."""
        self.corpus.close()

    @property
    def fingerprint(self) -> str:
        """The fingerprint of all weights that can change a verdict."""
        parts = self.judge.fingerprint + shipped_fingerprint()
        return hashlib.blake2b(parts.encode(), digest_size=8).hexdigest()

    def run(self, claims: Sequence[str]) -> list[ClaimResult]:
        """Find evidence for claims and judge it, without writing reports."""
        return self._pipeline.run([tidy(claim) for claim in claims])

    def check(self, claims: Sequence[str]) -> list[Report]:
        """Check claims and return their reports."""
        tidied = [tidy(claim) for claim in claims]
        reasons = [reject_reason(claim) for claim in tidied]
        asked = [claim for claim, reason in zip(tidied, reasons, strict=True) if not reason]
        results = iter(self._pipeline.run(asked))
        return [
            replace(
                not_checked(claim, reason)
                if reason
                else explain(next(results), self._min_confidence),
                corpus=self.corpus.fingerprint,
                generation=self.corpus.generation,
                model=self.fingerprint,
                label_policy=self.judge.policy.name,
            )
            for claim, reason in zip(tidied, reasons, strict=True)
        ]
