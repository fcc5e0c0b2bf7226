"""One state of the corpus, and everything that answers from it.

Checking and reading each have a thread, and a handle on the corpus, of their own; both handles are
of the same generation. All label policies share one model and one handle, so that no two routes
can answer from different states.
"""

from collections.abc import Hashable, Sequence
from contextlib import closing
from typing import Any

from msgspec.structs import replace

from feverfew.check import Checker
from feverfew.check.verify import policy_of, predict
from feverfew.corpus import Corpus
from feverfew.errors import CorpusBusy
from feverfew.render.audit import Settings
from feverfew.retrieve import Hops, Ranked, Retriever
from feverfew.select import PAGES, Sentences
from feverfew.types import Evidence

_TRIES = 20


class Snapshot:
    """Answers from one generation of a corpus; made by `open` or `again`."""

    def __init__(self, settings: Settings, checker: Checker, corpus: Corpus) -> None:
        self.settings = settings
        self.generation = corpus.generation
        self.fingerprint = corpus.fingerprint
        self.model = checker.fingerprint
        self.pages = len(corpus)
        self.users = 0
        """Requests that answer from it; when it is replaced, it is closed after the last."""
        self.checkers = {settings.label_policy: checker}
        self._checker = checker
        self._corpus = corpus
        self._retrievers: dict[int, Retriever] = {}
        self._selector: Sentences | None = None

    @classmethod
    def open(cls, settings: Settings) -> "Snapshot":
        """Open the model, and the corpus as it is now."""
        return cls._of(settings, settings.open())

    def again(self) -> "Snapshot":
        """Open the corpus as it is now; the model stays."""
        return self._of(self.settings, self._checker.over(self._corpus.reload()))

    def elsewhere(self, path: str) -> "Snapshot":
        """Open another corpus; the model, which is what takes memory, is shared."""
        settings = replace(self.settings, corpus=path)
        return self._of(settings, self._checker.over(Corpus.open(path)))

    @classmethod
    def _of(cls, settings: Settings, checker: Checker) -> "Snapshot":
        """Open a second handle of the generation that the checker has."""
        for _ in range(_TRIES):
            try:
                corpus = Corpus.open(checker.corpus.path)
            except BaseException:
                checker.close()
                raise
            if corpus.generation == checker.corpus.generation:
                return cls(settings, checker, corpus)
            corpus.close()
            with closing(checker):  # a writer came between the two
                checker = checker.over(checker.corpus.reload())
        checker.close()
        raise CorpusBusy(f"{checker.corpus.path} changes all the time; try again later")

    def is_newest(self) -> bool:
        """Say whether nothing was built or changed since; on the thread that reads."""
        return self._corpus.is_newest()

    def check(self, kind: Hashable, things: Sequence[Any]) -> Sequence[Any]:
        """Check or label claims; on the thread that checks."""
        if kind == "check":
            return self._policy(self.settings.label_policy).check(things)
        return predict(self._policy(policy_of(str(kind))), things, str(kind))

    def _policy(self, name: str) -> Checker:
        if name not in self.checkers:
            self.checkers[name] = self._checker.with_label_policy(name, self.settings.model or None)
        return self.checkers[name]

    def read(self, kind: Hashable, things: Sequence[Any]) -> Sequence[Any]:
        """Search, and read pages; on the thread that reads."""
        match kind:
            case ("search", int(max_hops), int(k)):
                return self._retriever(max_hops).retrieve(things, k)
            case ("evidence", int(k)):
                return self._select(things, k)
            case "page":
                return [self._corpus.page(title) for title in things]
            case "corpus":
                return [job(self._corpus) for job in things]
        return [job() for job in things]

    def _retriever(self, max_hops: int) -> Retriever:
        if max_hops not in self._retrievers:
            self._retrievers[max_hops] = (
                Ranked.open(self._corpus)
                if max_hops == 1
                else Hops.open(self._corpus, rounds=max_hops - 1)
            )
        return self._retrievers[max_hops]

    def _select(self, claims: Sequence[str], k: int) -> list[list[Evidence]]:
        if self._selector is None:
            self._selector = Sentences.open(self._corpus)
        pages = self._retriever(1).retrieve(claims, PAGES)
        return self._selector.select(claims, pages, k)

    def close_checker(self) -> None:
        """Close the checkers' handle; on the thread that checks."""
        self._checker.close()

    def close_corpus(self) -> None:
        """Close the readers' handle; on the thread that reads."""
        self._corpus.close()
