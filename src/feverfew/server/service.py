"""What every interface talks to: a checker and a corpus, each with a thread of its own.

Checking takes long and runs in batches; pages and searches are quick and must not wait for it, so
they have their own thread, and their own view of the corpus.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi import Request
from msgspec import Struct
from msgspec.structs import replace

from feverfew.check import Checker
from feverfew.check.verify import policy_of, predict
from feverfew.corpus import Corpus
from feverfew.render.audit import Settings
from feverfew.retrieve import Candidate, Hops, Ranked, Retriever
from feverfew.select import PAGES, Sentences
from feverfew.server.batching import Batcher
from feverfew.types import Claim, Evidence, Page, Prediction, Report

if TYPE_CHECKING:
    from feverfew.server.auth import Authenticator
    from feverfew.server.metrics import Metrics

__all__ = ["Service", "State"]

T = TypeVar("T")
QUEUE = 256
"""Claims that may wait."""


class _Checking(Struct):
    """The checkers, on their thread: one for each label policy, opened when needed."""

    settings: Settings
    checkers: dict[str, Checker]

    def work(self, kind: Hashable, things: Sequence[Any]) -> Sequence[Any]:
        if kind == "check":
            return self._checker(self.settings.label_policy).check(things)
        return predict(self._checker(policy_of(str(kind))), things, str(kind))

    def _checker(self, policy: str) -> Checker:
        if policy not in self.checkers:
            corpus = str(self.checkers[self.settings.label_policy].corpus.path)
            settings = replace(self.settings, corpus=corpus, label_policy=policy)
            self.checkers[policy] = settings.open()
        return self.checkers[policy]


class _Reading(Struct):
    """The corpus, on its thread, with what searches it: opened when it is first asked for."""

    corpus: Corpus
    retrievers: dict[int, Retriever] = {}
    selectors: list[Sentences] = []

    def work(self, kind: Hashable, things: Sequence[Any]) -> Sequence[Any]:
        match kind:
            case ("search", int(max_hops), int(k)):
                return self._retriever(max_hops).retrieve(things, k)
            case ("evidence", int(k)):
                return self._select(things, k)
            case "page":
                return [self.corpus.page(title) for title in things]
            case "corpus":
                return [job(self.corpus) for job in things]
        return [job() for job in things]

    def _retriever(self, max_hops: int) -> Retriever:
        if max_hops not in self.retrievers:
            self.retrievers[max_hops] = (
                Ranked.open(self.corpus)
                if max_hops == 1
                else Hops.open(self.corpus, rounds=max_hops - 1)
            )
        return self.retrievers[max_hops]

    def _select(self, claims: Sequence[str], k: int) -> list[list[Evidence]]:
        if not self.selectors:
            self.selectors.append(Sentences.open(self.corpus))
        pages = self._retriever(1).retrieve(claims, PAGES)
        return self.selectors[0].select(claims, pages, k)


class Service:
    """Claims in, reports out, for many at once: the same calls as the library's, to be awaited."""

    def __init__(
        self,
        settings: Settings,
        checking: Batcher,
        reading: Batcher,
        checkers: dict[str, Checker],
        corpus: Corpus,
    ) -> None:
        checker = checkers[settings.label_policy]
        self.settings = settings
        self._checking = checking
        self._reading = reading
        self._checkers = checkers
        self._corpus = corpus
        self.pages = len(checker.corpus)
        self.corpus = checker.corpus.fingerprint
        self.model = checker.fingerprint

    @classmethod
    async def open(
        cls,
        settings: Settings,
        on_batch: Callable[[Hashable, int], None] | None = None,
        *,
        queue: int = QUEUE,
    ) -> "Service":
        """Open corpus and model, each on the thread that will use it."""
        workers: dict[str, Any] = {}
        checking = Batcher(
            lambda kind, things: workers["check"].work(kind, things),
            capacity=queue,
            on_batch=on_batch,
        )
        reading = Batcher(lambda kind, things: workers["read"].work(kind, things), capacity=queue)
        try:
            checker: Checker = await checking.run(settings.open)
            checkers = {settings.label_policy: checker}
            workers["check"] = _Checking(settings, checkers)
            corpus: Corpus = await reading.run(lambda: Corpus.open(checker.corpus.path))
            workers["read"] = _Reading(corpus)
        except BaseException:
            await checking.close()
            await reading.close()
            raise
        return cls(settings, checking, reading, checkers, corpus)

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
        self, claims: Sequence[str], k: int, max_hops: int = 1
    ) -> list[list[Candidate]]:
        """Find the k best pages for each claim."""
        return await self._reading.ask(("search", max_hops, k), claims)

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

    async def run_job(self, job: Callable[[], Any]) -> Any:
        """Run something that takes a while and needs no checker."""
        return (await self._reading.ask("job", [job]))[0]

    async def close(self) -> None:
        """Finish what waits, then close corpus and threads."""
        await self._checking.close()
        await self._reading.close()
        for checker in self._checkers.values():
            checker.close()
        self._corpus.close()


class State(Struct, frozen=True, eq=False):
    """The service behind the doors, and what guards and counts."""

    service: "Service"
    auth: "Authenticator"
    metrics: "Metrics"
    seconds: float
    """How long an answer may take."""
    local: bool = False
    """Whether only this machine is answered, so that its paths may be named."""

    @staticmethod
    def of(request: Request) -> "State":
        """Return the state of the application that a request came to."""
        found: State = request.app.state.feverfew
        return found

    @staticmethod
    def note(request: Request, **facts: object) -> None:
        """Add facts to the request's line in the log."""
        request.scope["state"]["facts"].update(facts)
