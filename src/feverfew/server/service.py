"""What is behind every door: a checker and a corpus, each with a thread of its own.

Checking takes long and is done in batches; pages and searches take little and must not wait for
it, so they have their own thread, and their own view of the corpus.
"""

from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from feverfew.check import Checker
from feverfew.check.verify import predict, reading_of
from feverfew.corpus import Corpus
from feverfew.retrieve import Candidate, Retriever
from feverfew.retrieve.named import open_retriever
from feverfew.select import PAGES, Sentences
from feverfew.server.batching import Batcher
from feverfew.tables.ranking import TABLES
from feverfew.types import Claim, Evidence, Page, Prediction, Report

__all__ = ["Opening", "Service"]

T = TypeVar("T")


class Opening(Struct, frozen=True):
    """What a service is opened with; without a corpus the sample, without a model the shipped."""

    corpus: Path | None = None
    model: Path | None = None
    hops: bool = False
    room: int = 256
    """Claims that may wait."""
    reading: str = "fever"
    """When checks say that a claim is refuted; labels are read as their format is."""
    tables: int = TABLES


class _Checking(Struct):
    """The checkers, on their thread: one for each way to read probabilities, opened when needed."""

    opening: Opening
    checkers: dict[str, Checker]

    def work(self, kind: Hashable, things: Sequence[Any]) -> Sequence[Any]:
        if kind == "check":
            return self._checker(self.opening.reading).check(things)
        return predict(self._checker(reading_of(str(kind))), things, str(kind))

    def _checker(self, reading: str) -> Checker:
        if reading not in self.checkers:
            corpus = self.checkers[self.opening.reading].corpus.path
            self.checkers[reading] = _open(self.opening, corpus, reading)
        return self.checkers[reading]


def _open(opening: Opening, corpus: Path | None, reading: str) -> Checker:
    return Checker.open(
        corpus, opening.model, hops=opening.hops, reading=reading, tables=opening.tables
    )


class _Reading(Struct):
    """The corpus, on its thread, with what searches it: opened when it is first asked for."""

    corpus: Corpus
    retrievers: dict[str, Retriever] = {}
    selectors: list[Sentences] = []

    def work(self, kind: Hashable, things: Sequence[Any]) -> Sequence[Any]:
        match kind:
            case ("search", str(name), int(k)):
                return self._retriever(name).retrieve(things, k)
            case ("evidence", int(k)):
                return self._select(things, k)
            case "page":
                return [self.corpus.page(title) for title in things]
            case "corpus":
                return [job(self.corpus) for job in things]
        return [job() for job in things]

    def _retriever(self, name: str) -> Retriever:
        if name not in self.retrievers:
            self.retrievers[name] = open_retriever(name, self.corpus)
        return self.retrievers[name]

    def _select(self, claims: Sequence[str], k: int) -> list[list[Evidence]]:
        if not self.selectors:
            self.selectors.append(Sentences.open(self.corpus))
        pages = self._retriever("ranked").retrieve(claims, PAGES)
        return self.selectors[0].select(claims, pages, k)


class Service:
    """Claims in, reports out, for many at once: the same calls as the library's, to be awaited."""

    def __init__(
        self,
        opening: Opening,
        checking: Batcher,
        reading: Batcher,
        checkers: dict[str, Checker],
        corpus: Corpus,
    ) -> None:
        checker = checkers[opening.reading]
        self.opening = opening
        self._checking = checking
        self._reading = reading
        self._checkers = checkers
        self._corpus = corpus
        self.pages = len(checker.corpus)
        self.corpus = checker.corpus.fingerprint
        self.model = checker.fingerprint

    @classmethod
    async def open(
        cls, opening: Opening, on_batch: Callable[[Hashable, int], None] | None = None
    ) -> "Service":
        """Open corpus and model, each on the thread that will use it."""
        desks: dict[str, Any] = {}
        checking = Batcher(
            lambda kind, things: desks["check"].work(kind, things),
            room=opening.room,
            on_batch=on_batch,
        )
        reading = Batcher(lambda kind, things: desks["read"].work(kind, things), room=opening.room)
        try:
            checker: Checker = await checking.run(
                lambda: _open(opening, opening.corpus, opening.reading)
            )
            desks["check"] = _Checking(opening, checkers := {opening.reading: checker})
            corpus: Corpus = await reading.run(lambda: Corpus.open(checker.corpus.path))
            desks["read"] = _Reading(corpus)
        except BaseException:
            await checking.close()
            await reading.close()
            raise
        return cls(opening, checking, reading, checkers, corpus)

    @property
    def waiting(self) -> int:
        """How many claims wait to be checked."""
        return self._checking.waiting

    async def check(self, claims: Sequence[str]) -> list[Report]:
        """Check claims, together with those of whoever else waits."""
        return await self._checking.ask("check", claims)

    async def predict(self, claims: Sequence[Claim], format: str) -> list[Prediction]:  # noqa: A002
        """Label claims in the way of a data set."""
        return await self._checking.ask(format, claims)

    async def retrieve(
        self, claims: Sequence[str], k: int, retriever: str = "ranked"
    ) -> list[list[Candidate]]:
        """Find the k best pages for each claim."""
        return await self._reading.ask(("search", retriever, k), claims)

    async def evidence(self, claim: str, k: int) -> list[Evidence]:
        """Find the k sentences most likely to settle a claim."""
        found: list[list[Evidence]] = await self._reading.ask(("evidence", k), [claim])
        return found[0]

    async def page(self, title: str) -> Page:
        """Return a page by its title in any spelling, or by an alias."""
        found: list[Page] = await self._reading.ask("page", [title])
        return found[0]

    async def read(self, job: Callable[[Corpus], T]) -> T:
        """Do something with the corpus, on the thread that reads it."""
        found: list[T] = await self._reading.ask("corpus", [job])
        return found[0]

    async def aside(self, job: Callable[[], Any]) -> Any:
        """Run something that takes a while and needs no checker."""
        return (await self._reading.ask("job", [job]))[0]

    async def close(self) -> None:
        """Finish what waits, then close corpus and threads."""
        await self._checking.close()
        await self._reading.close()
        for checker in self._checkers.values():
            checker.close()
        self._corpus.close()
