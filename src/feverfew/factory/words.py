"""Small tables of words that mutations need: kinds of things, opposites, peoples, countries."""

import tomllib
from importlib.resources import files

from msgspec import Struct


class Kind(Struct, frozen=True):
    """A sort of thing that a page may be about."""

    family: str
    """person, work, place or group: decides what may be said of it."""
    field: str
    """Kinds of two fields exclude each other, as far as one may expect: a film is no river."""
    general: str
    """What every one of them is, with its article."""


def _listed(text: str) -> list[str]:
    return " ".join(text.split()).split(", ")


_TABLES = tomllib.loads(files("feverfew.factory").joinpath("words.toml").read_text("utf-8"))
KINDS = {
    name: Kind(*key.split(", "))
    for key, names in _TABLES["kinds"].items()
    for name in _listed(names)
}
_PAIRS = [pair.split("/") for pair in _listed(_TABLES["opposites"])]
ANTONYMS = {word: pair[1 - at] for pair in _PAIRS for at, word in enumerate(pair)}
PEOPLES = tuple(_listed(_TABLES["peoples"]))
CONTINENTS = {
    land: continent for continent, lands in _TABLES["continents"].items() for land in _listed(lands)
}
ADDITIONS: dict[str, tuple[str, ...]] = {
    family: tuple(said) for family, said in _TABLES["additions"].items()
}
"""What may or may not be so, by family: nothing that a first sentence settles."""
