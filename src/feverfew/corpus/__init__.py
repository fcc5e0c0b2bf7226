"""One directory on disk that holds pages, their titles and their full text."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from feverfew.corpus.corpus import Corpus
    from feverfew.corpus.layout import Manifest, Summary

__all__ = ["Corpus", "Manifest", "Summary"]

if not TYPE_CHECKING:  # or a type checker would believe in any name at all
    _HOMES = {"Corpus": "corpus", "Manifest": "layout", "Summary": "layout"}

    def __getattr__(name: str) -> object:
        """Fetch a name when it is asked for: a build's workers need none, nor numpy behind it."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return found
