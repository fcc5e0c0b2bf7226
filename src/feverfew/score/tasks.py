"""The three tasks: how each is scored, and which measures of retrieval its paper reports."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from feverfew.errors import NotFound
from feverfew.score.fever import fever_score
from feverfew.score.feverous import feverous_score
from feverfew.score.hover import hover_score
from feverfew.score.sheet import DEFAULT_LIMITS, Metric, Sheet
from feverfew.types import Claim, Prediction


class Task(Struct, frozen=True):
    """A way of scoring, under the name that commands use."""

    name: str
    metric: str
    """The name of its headline."""
    scorer: Callable[[Iterable[Claim], Iterable[Prediction], tuple[int, ...]], Sheet]
    ranks: dict[str, tuple[int, ...]]
    """Measures of retrieval with the ranks at which the paper's tables report them."""

    @property
    def headline(self) -> str:
        """The column that holds the official score: `fever_score`."""
        return f"{self.name}_score"

    @property
    def limits(self) -> tuple[int, ...]:
        """How much evidence counts unless said otherwise."""
        return DEFAULT_LIMITS[self.metric]

    def score(
        self,
        claims: Iterable[Claim],
        predictions: Iterable[Prediction],
        limits: tuple[int, ...] | None = None,
    ) -> Sheet:
        """Score predictions by the official rules; `limits` are as many as the metric takes."""
        metric = Metric.of(self.metric, *(self.limits if limits is None else limits))
        return self.scorer(claims, predictions, metric.limits)

    def retrieval_metrics(self, sheet: Sheet) -> tuple[Metric, ...]:
        """Name the paper's measures, no further down than the predictions rank anything."""
        longest = max(max(len(p.pages), len(p.found)) for p in sheet.pairs)
        return tuple(
            Metric.of(name, k)
            for name, ranks in self.ranks.items()
            for place, k in enumerate(ranks)
            # The first rank that holds everything is the last that says anything new.
            if place == 0 or ranks[place - 1] < longest
        )


TASKS = {
    task.name: task
    for task in (
        Task(
            "fever",
            "FEVER",
            lambda claims, said, limits: fever_score(claims, said, sentences=limits[0]),
            {
                "DocumentSupport": (1, 5, 10, 25, 50, 100),
                "DocumentOracle": (1, 5, 10, 25, 50, 100),
                "SentenceSupport": (5,),
                "SentenceOracle": (5,),
            },
        ),
        Task(
            "feverous",
            "FEVEROUS",
            lambda claims, said, limits: feverous_score(
                claims, said, sentences=limits[0], cells=limits[1]
            ),
            {
                "DocumentRecall": (1, 2, 3, 5),
                "SentenceRecall": (1, 2, 3, 5),
                "TableRecall": (1, 2, 3),
                "CellRecall": (25,),
            },
        ),
        Task(
            "hover",
            "HoVer",
            lambda claims, said, limits: hover_score(claims, said, sentences=limits[0]),
            {
                "Hit": (5, 10, 25, 100),
                "DocumentEM": (10,),
                "DocumentF1": (10,),
                "SentenceEM": (10,),
                "SentenceF1": (10,),
            },
        ),
    )
}


def task_named(name: str) -> Task:
    """Look up a task by the name that commands use."""
    if name not in TASKS:
        raise NotFound(f"no task is called {name!r}; there are {', '.join(TASKS)}")
    return TASKS[name]
