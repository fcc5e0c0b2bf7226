"""Recipes: all that decides what a made data set holds, in one file.

name = "small-fever"
kind = "fever"
corpus = "sample"
claims = 300
"""

from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from feverfew.errors import InputError

Kind = Literal["fever", "feverous", "hover", "pairs"]


class Sources(Struct, frozen=True, forbid_unknown_fields=True):
    """Which pages claims are made from."""

    popular: int = 5_000
    """Pages that most others link to, and from which links are followed."""
    pages: int = 50_000
    """Pages in all."""
    per_page: int = 4
    """Claims of one page, at most."""
    apart_from: tuple[str, ...] = ()
    """Claim files whose pages are left out, relative to the recipe: what is measured on later."""


class Splits(Struct, frozen=True, forbid_unknown_fields=True):
    """How claims are parted. Pages, highlights and questions stay whole."""

    train: float = 0.8
    dev: float = 0.1
    test: float = 0.1
    blind: bool = True
    """Whether the test split leaves without labels, which are written apart."""


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """What no computation can tell of a data set."""

    title: str = ""
    description: str = ""
    licence: str = "cc-by-sa-4.0"
    source: str = ""
    """Where the pages come from, and under which licence."""
    creators: tuple[str, ...] = ("Feverfew",)
    url: str = "https://example.org/"
    language: str = "en"
    version: str = "1.0.0"
    published: str = ""
    """A date, such as 2026-01-31; a made data set has no clock of its own."""


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a data set."""

    name: str
    kind: Kind
    claims: int
    corpus: str = "sample"
    seed: int = 1
    sources: Sources = Sources()
    splits: Splits = Splits()
    card: Card = Card()
    hops: tuple[int, ...] = (2, 3, 4)
    """Of HoVer: how many pages claims need."""
    open_share: float = 0.05
    """Of FEVEROUS: the share of claims that are open."""
    skills: tuple[str, ...] = ()
    """Of pairs: which skills; all if none is named."""

    @classmethod
    def read(cls, path: Path) -> "Recipe":
        """Read a recipe, or one that comes with feverfew, by its name."""
        try:
            recipe = msgspec.toml.decode(cls.text(path), type=cls)
        except msgspec.MsgspecError as error:
            raise InputError(f"{path} is not a recipe: {error}") from None
        shares = (recipe.splits.train, recipe.splits.dev, recipe.splits.test)
        if min(shares) < 0 or abs(sum(shares) - 1) > 1e-6:
            raise InputError(f"{path}: the shares of the splits must add up to 1")
        if recipe.claims < 1 or not 0 <= recipe.open_share < 1:
            raise InputError(f"{path}: 'claims' is at least 1, 'open_share' from 0 up to 1")
        if not recipe.name.replace("-", "").replace("_", "").isalnum():
            raise InputError(f"{path}: a name has letters, digits, - and _, not {recipe.name!r}")
        return recipe

    @staticmethod
    def text(path: Path) -> bytes:
        """Return a recipe's file as it is."""
        shipped = _shipped()
        try:
            return shipped.get(str(path), path).read_bytes()
        except OSError as error:
            known = ", ".join(shipped)
            raise InputError(
                f"{path}: cannot be read ({error.strerror}); feverfew's own recipes are {known}"
            ) from None


def _shipped() -> dict[str, Path]:
    folder = Path(str(files("feverfew.factory") / "recipes"))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}
