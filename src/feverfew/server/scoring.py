"""Claims and predictions that came over HTTP, read as files are, and scored."""

from pathlib import Path

from feverfew.readers.base import Record, Source
from feverfew.readers.claims import CLAIM_FORMATS
from feverfew.readers.predictions import parse_prediction
from feverfew.score import TASKS, Summary, summarise
from feverfew.server.messages import ScoreRequest

__all__ = ["scored"]

# Errors name the list and the place in it, as they name file and line elsewhere.
_CLAIMS = Source(Path("claims"), "claims")
_PREDICTIONS = Source(Path("predictions"), "predictions")


def scored(request: ScoreRequest) -> Summary:
    """Score predictions by the official rules of a task."""
    parse = CLAIM_FORMATS[request.task]
    claims = [
        parse(Record(bytes(raw), place), _CLAIMS) for place, raw in enumerate(request.claims, 1)
    ]
    said = [
        parse_prediction(Record(bytes(raw), place), _PREDICTIONS, request.task)
        for place, raw in enumerate(request.predictions, 1)
    ]
    summary, _ = summarise(
        TASKS[request.task], claims, said, samples=request.samples, seed=request.seed
    )
    return summary
