"""The official scores, and honest statistics around them: pure functions, no files.

from feverfew.score import fever_score, intervals

sheet = fever_score(claims, predictions)
sheet.means()        → {"fever_score": 0.61, "label_accuracy": 0.72, "precision": …}
intervals(sheet)     → {"fever_score": Interval(low=0.59, high=0.63), …}
"""

from feverfew.score.fever import fever_score
from feverfew.score.feverous import feverous_score
from feverfew.score.hover import hover_score
from feverfew.score.names import Metric
from feverfew.score.sheet import Column, Sheet

__all__ = ["Column", "Metric", "Sheet", "fever_score", "feverous_score", "hover_score"]
