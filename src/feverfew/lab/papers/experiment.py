"""Experiments: one TOML file for each table of a paper.

A figure of the table names a system, which is composed of named parts, and a metric, and gives the
paper's own number. Orderings are what the paper concludes from its figures.
"""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from feverfew.errors import InputError, NotFound


class System(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A system: which part finds pages, which chooses sentences, which judges, how it learned."""

    retrieve: str = "drqa"
    pages: int = 5
    select: str = ""
    """Empty if only pages are wanted."""
    sentences: int = 5
    above: float = 0.0
    """Pages, or where there are any sentences, are kept if they score more; 0 keeps all."""
    evidence: str = "found"
    """Or `gold`, the annotators' sentences; or `gold-pages`, everything on their pages."""
    judge: str = ""
    joined: str = ""
    """How pieces are joined: all read as one text, or each alone and by a rule, such as `vote`."""
    consistent: bool = False
    """Whether evidence against the verdict is dropped."""
    sampling: str = "nearestp"
    """What open claims are shown with: a sentence of the nearest page, or any at all (randoms).
    FEVEROUS's are made by evidence `removed`, or not at all (`none`)."""
    learn: str = "fever"
    """Or `snli`; of FEVEROUS `feverous`, or `nli, feverous`."""
    pairs: int = 0
    """Pairs to learn from; 0 for as many as the run allows."""
    seeds: int = 1
    """Networks that are trained, of which the best on claims for tuning is taken."""
    task: Literal["fever", "feverous"] = "fever"
    """Whose pipeline it is: FEVEROUS's has tables, and evidence with its context."""
    tables: int = 0
    cells: str = ""
    """What chooses cells; empty if only tables are wanted."""
    titles: Literal["once", "each", "none"] = "once"
    """How often a page's title is repeated in the text that is judged."""


class Figure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One figure of a table."""

    row: str
    column: str
    metric: str = ""
    system: System | None = None
    paper: float | None = None
    """What the paper says; none for our own rows."""
    hops: int | None = None
    """Only claims that need this many pages."""
    label: str = ""
    """Only claims with this label."""
    cells: int | None = None
    """Only claims with this many cells of evidence."""
    missing: str = ""
    """Why it cannot be measured with the available data."""

    @property
    def name(self) -> str:
        """Row and column: how orderings name it."""
        return f"{self.row} | {self.column}"


class Ordering(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A conclusion: one figure is above another, each named `row | column`."""

    above: str
    below: str
    differs: str = ""
    """Why it is not so here, where it is not."""


class Experiment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table of one paper."""

    name: str = ""
    """As commands call it, `fever/table-2`: where its file lies."""
    paper: str
    table: str
    title: str
    claims: Literal[
        "fever", "fever-tuning", "hover", "feverous", "feverous-verdicts", "feverous-labels"
    ] = "fever"
    """The set that is measured."""
    balance: Literal["label", "hops", "none"] = "label"
    """As many claims of each label; of each label for each number of pages; or as they come."""
    notes: str = ""
    ranked: str = ""
    """The column by which rows are ranked, where the table is a board."""
    plot: str = ""
    """The horizontal axis, where rows are numbers and the table is drawn as lines."""
    figures: list[Figure]
    orderings: list[Ordering] = []


def _folder() -> Path:
    return Path(str(files("feverfew.lab.papers"))) / "experiments"


def experiment_names() -> list[str]:
    """List the experiments that come with feverfew."""
    found = _folder().glob("*/*.toml")
    return sorted(path.relative_to(_folder()).with_suffix("").as_posix() for path in found)


def load_experiment(name: str) -> Experiment:
    """Read an experiment by its name, or from a TOML file of your own."""
    own = name.endswith(".toml")
    path = Path(name) if own else _folder() / f"{name}.toml"
    if not own and name not in experiment_names():
        known = ", ".join(experiment_names())
        raise NotFound(f"no experiment is called {name!r}; there are {known}")
    try:
        settings = tomllib.loads(path.read_text("utf-8"))
        read = msgspec.convert(_with_defaults(settings), Experiment)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not an experiment: {error}") from None
    _check(path, read)
    return msgspec.structs.replace(read, name=path.stem if own else name)


def _with_defaults(settings: dict[str, object]) -> dict[str, object]:
    """Give every figure the systems that the file declares by name."""
    systems = settings.pop("systems", {})
    figures = settings.get("figures")
    if not isinstance(figures, list) or not isinstance(systems, dict):
        return settings
    full = []
    for figure in figures:
        named = figure.get("system") if isinstance(figure, dict) else None
        if isinstance(named, str):
            if named not in systems:
                raise msgspec.ValidationError(f"no system is called {named!r}")
            figure = {**figure, "system": systems[named]}
        full.append(figure)
    return {**settings, "figures": full}


def _check(path: Path, read: Experiment) -> None:
    names = {figure.name for figure in read.figures}
    if len(names) < len(read.figures):
        raise InputError(f"{path}: two figures stand in the same row and column")
    for figure in read.figures:
        if not figure.missing and (figure.system is None or not figure.metric):
            raise InputError(f"{path}: '{figure.name}' has no system and metric, nor a reason why")
    for ordering in read.orderings:
        for named in (ordering.above, ordering.below):
            if named not in names:
                raise InputError(f"{path}: an ordering names '{named}', which is no figure")
