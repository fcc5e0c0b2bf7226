"""The official scores and their statistics: pure functions, no files.

from feverfew.score import bootstrap, fever_score

sheet = fever_score(claims, predictions)
sheet.means()        → {"fever_score": 0.61, "label_accuracy": 0.72, "precision": …}
bootstrap(sheet)     → {"fever_score": Interval(low=0.59, high=0.63), …}
"""

from feverfew.score.compare import Comparison, compare_systems
from feverfew.score.fever import fever_score
from feverfew.score.feverous import feverous_score
from feverfew.score.hover import hover_score
from feverfew.score.intervals import Interval, bootstrap, mcnemar, paired_bootstrap
from feverfew.score.labels import label_scores
from feverfew.score.sheet import Column, Metric, Sheet
from feverfew.score.slices import slice_by
from feverfew.score.summary import Summary, summarise
from feverfew.score.tasks import TASKS, Task, task_named

__all__ = [
    "TASKS",
    "Column",
    "Comparison",
    "Interval",
    "Metric",
    "Sheet",
    "Summary",
    "Task",
    "bootstrap",
    "compare_systems",
    "fever_score",
    "feverous_score",
    "hover_score",
    "label_scores",
    "mcnemar",
    "paired_bootstrap",
    "slice_by",
    "summarise",
    "task_named",
]
