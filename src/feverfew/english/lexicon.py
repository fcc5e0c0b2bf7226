"""Word lists, read from `data/` when they are first used, and what makes two words the same."""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["by_word", "content", "lines", "stem", "table", "word_list", "word_set"]


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of a plain text file: `word_list("prepositions")`."""
    return word_set(_read(f"{name}.txt"))


def lines(name: str) -> list[str]:
    """Return the lines of a plain text file."""
    return _read(f"{name}.txt").splitlines()


@cache
def table(name: str) -> dict[str, Any]:
    """Return a TOML file as a dictionary; lists of words are strings, to be split.

    >>> table("numbers")["scales"]["dozen"]
    12
    """
    return tomllib.loads(_read(f"{name}.toml"))


def _read(name: str) -> str:
    text = files("feverfew.english").joinpath("data", name).read_text("utf-8")
    return "\n".join(line for line in text.splitlines() if not line.startswith("# "))


def word_set(text: str) -> frozenset[str]:
    """Make a set of the words of a text."""
    return frozenset(text.split())


def by_word(groups: dict[str, Any]) -> dict[str, Any]:
    """Give every word of a group its group's value: {"km kilometre": 1000} → {"km": 1000, …}."""
    return {word: value for listed, value in groups.items() for word in listed.split()}


_IRREGULAR = {
    "children": "child",
    "people": "person",
    "men": "man",
    "women": "woman",
    "wives": "wife",
    "feet": "foot",
    "cities": "city",
    "countries": "country",
}


def stem(word: str) -> str:
    """Cut what most often differs between two uses of a word: 'acted', 'acts' → 'act'."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def content(words: Iterable[str]) -> set[str]:
    """Return the stems of the words that say something."""
    empty = word_list("stopwords")
    return {stem(w) for w in words if len(w) > 2 and w.isalpha() and w not in empty}
