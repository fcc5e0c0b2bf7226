"""Check a claim against a corpus you trust.

>>> checker = feverfew.Checker.open()  # doctest: +SKIP
>>> checker.check(["Fritz Lang directed Metropolis."])[0].verdict  # doctest: +SKIP
<Verdict.SUPPORTED: 'SUPPORTED'>

Importing does no work: each name is fetched from its room when it is first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feverfew.check import Checker
    from feverfew.client import AsyncClient, Client
    from feverfew.corpus import Corpus
    from feverfew.errors import FeverfewError
    from feverfew.judge import Judge
    from feverfew.readers import read_claims, read_pages, read_predictions
    from feverfew.retrieve import Batch, Candidate, Hops, Lexical, Ranked, Titles
    from feverfew.score import bootstrap, fever_score, feverous_score, hover_score
    from feverfew.select import Sentences
    from feverfew.types import Claim, Evidence, Page, Prediction, Redirect, Ref, Report, Verdict

    __version__: str

__all__ = [
    "AsyncClient",
    "Batch",
    "Candidate",
    "Checker",
    "Claim",
    "Client",
    "Corpus",
    "Evidence",
    "FeverfewError",
    "Hops",
    "Judge",
    "Lexical",
    "Page",
    "Prediction",
    "Ranked",
    "Redirect",
    "Ref",
    "Report",
    "Sentences",
    "Titles",
    "Verdict",
    "__version__",
    "bootstrap",
    "fever_score",
    "feverous_score",
    "hover_score",
    "read_claims",
    "read_pages",
    "read_predictions",
]

if not TYPE_CHECKING:  # or a type checker would believe in any name at all
    _ROOMS = {
        "check": ("Checker",),
        "client": ("AsyncClient", "Client"),
        "corpus": ("Corpus",),
        "errors": ("FeverfewError",),
        "judge": ("Judge",),
        "types": (
            "Claim",
            "Evidence",
            "Page",
            "Prediction",
            "Redirect",
            "Ref",
            "Report",
            "Verdict",
        ),
        "readers": ("read_claims", "read_pages", "read_predictions"),
        "retrieve": ("Batch", "Candidate", "Hops", "Lexical", "Ranked", "Titles"),
        "score": ("bootstrap", "fever_score", "feverous_score", "hover_score"),
        "select": ("Sentences",),
    }
    _HOMES = {name: room for room, names in _ROOMS.items() for name in names}

    def __getattr__(name: str) -> object:
        """Fetch a name from its room, once."""
        if name == "__version__":
            from importlib.metadata import version

            found: object = version("feverfew")
        elif name in _HOMES:
            from importlib import import_module

            found = getattr(import_module(f"feverfew.{_HOMES[name]}"), name)
        else:
            known = ", ".join(__all__)
            raise AttributeError(f"module 'feverfew' has no attribute {name!r}; it has {known}")
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        """List what is exported, for completion, without fetching it."""
        return sorted({*globals(), *__all__})
