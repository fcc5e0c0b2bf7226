"""Dependencies between modules point one way, and each imports only what it may."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "feverfew"
MODULES = sorted(SOURCE.rglob("*.py"))

# Each module of the package, and the modules it may import; it may also import what those may.
BELOW = {
    "errors": [],
    "refs": ["errors"],
    "types": ["refs"],
    "text": ["types"],
    "worker_process": ["errors"],
    "workers": ["worker_process"],
    "ray_workers": ["workers"],
    "pools": ["ray_workers"],
    "weights": [],
    "models": ["text", "weights", "workers"],
    "english": ["text"],
    "temporary": [],
    "readers": ["temporary", "text", "workers"],
    "corpus": ["readers", "pools"],
    "sample": ["corpus"],
    "tables": ["corpus", "english", "models"],
    "judge": ["tables"],
    "retrieve": ["judge"],
    "select": ["retrieve"],
    "check": ["retrieve", "select", "judge"],
    "score": ["types"],
    "factory": ["corpus", "rules", "score", "sample", "tables"],
    "rules": ["english"],
    "store": ["rules"],
    "workbench": ["store", "server"],
    "arena": ["workbench", "arena_client"],
    "render": ["check", "score"],
    "server": ["render", "sample"],
    "integrations": ["render"],
    "client": ["retrieve", "score"],
    "arena_client": ["errors"],
    "lab": ["render", "sample", "factory"],
    "cli": ["render", "sample", "lab", "server", "rules", "workbench", "arena"],
}
EXCEPTIONS = {("corpus.corpus", "sample")}
"""`Corpus.sample()` opens the sample where people look for it; imported when it is called."""
WITH_EXTRAS = {"lab", "server", "store", "workbench", "arena", "integrations"}
"""Rooms that need an extra as soon as they are entered; commands say which."""
TRAINING_ONLY = {"torch", "transformers", "safetensors"}


class Import(NamedTuple):
    """One import: which module imports what, and whether as soon as it is loaded."""

    module: str
    name: str
    at_once: bool


def room_of(name: str) -> str:
    return name.partition(".")[0]


def known_to(room: str) -> set[str]:
    below = BELOW[room]
    return {room, *below, *(name for inner in below for name in known_to(inner))}


def imports_of(path: Path) -> Iterator[Import]:
    module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    later = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            inside = node.module == "feverfew"
            names = [f"feverfew.{a.name}" for a in node.names] if inside else [str(node.module)]
        else:
            continue
        for name in names:
            yield Import(module, name, node not in later)


IMPORTS = [found for path in MODULES for found in imports_of(path)]
OURS = [
    found._replace(name=found.name.removeprefix("feverfew."))
    for found in IMPORTS
    if room_of(found.name) == "feverfew" and found.module != "__init__"
]
FOREIGN = [
    found
    for found in IMPORTS
    if room_of(found.name) != "feverfew" and room_of(found.name) not in sys.stdlib_module_names
]


def test_every_room_is_on_the_plan() -> None:
    rooms = {room_of(".".join(p.relative_to(SOURCE).with_suffix("").parts)) for p in MODULES}
    assert rooms - {"__init__"} <= BELOW.keys(), "a new room? say in BELOW what it may know"


def test_the_plan_has_no_circles() -> None:
    assert set(TopologicalSorter(BELOW).static_order()) == BELOW.keys()


@pytest.mark.parametrize("room", BELOW)
def test_dependencies_point_one_way(room: str) -> None:
    wrong = {
        (found.module, room_of(found.name))
        for found in OURS
        if room_of(found.module) == room and room_of(found.name) not in known_to(room)
    }
    assert wrong <= EXCEPTIONS


def test_exceptions_are_needed_and_lazy() -> None:
    for module, room in EXCEPTIONS:
        found = [i for i in OURS if i.module == module and room_of(i.name) == room]
        assert found
        assert not any(i.at_once for i in found)


def test_scores_know_only_the_nouns_and_the_errors() -> None:
    known = {room_of(found.name) for found in OURS if room_of(found.module) == "score"}
    assert known <= {"score", "types", "errors"}


def test_nothing_knows_the_surfaces() -> None:
    surfaces = {"cli", "server", "workbench", "arena"}
    assert not [
        found
        for found in OURS
        if room_of(found.name) in surfaces and room_of(found.module) not in surfaces
    ]


def test_the_core_knows_nothing_around_it() -> None:
    around = {"lab", "workbench", "arena", "server", "client", "cluster", "cli"}
    core = BELOW.keys() - around
    assert not [i for i in OURS if room_of(i.module) in core and room_of(i.name) in around]


def test_only_training_needs_torch() -> None:
    assert {room_of(i.module) for i in FOREIGN if room_of(i.name) in TRAINING_ONLY} <= {"lab"}


def test_no_module_imports_the_front_door() -> None:
    """`from feverfew import Corpus` within the house would load a room by a detour."""
    rooms = BELOW.keys()
    assert not [found for found in OURS if room_of(found.name) not in rooms]


def declared(*extras: str) -> set[str]:
    project = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"]]
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    return {line.partition(">")[0].partition("=")[0].strip().lower() for line in lines}


_OTHERWISE = {"argon2": "argon2-cffi"}


@cache
def distributions() -> dict[str, list[str]]:
    return {name: list(found) for name, found in packages_distributions().items()}


def distribution(imported: str) -> str:
    # What is not installed here is taken to be named as it is imported.
    own = room_of(imported)
    absent = [_OTHERWISE.get(own, own).replace("_", "-")]
    return distributions().get(room_of(imported), absent)[0].lower().replace("_", "-")


def test_what_is_imported_at_once_comes_with_the_core() -> None:
    core = declared()
    foreign = {
        (i.module, i.name) for i in FOREIGN if i.at_once and room_of(i.module) not in WITH_EXTRAS
    }
    assert {(m, n) for m, n in foreign if distribution(n) not in core} == set()


def test_what_is_imported_is_declared_and_what_is_declared_is_imported() -> None:
    imported = {distribution(found.name) for found in FOREIGN}
    # The driver of PostgreSQL is named in the database's address.
    extras = declared(
        "documents", "train", "client", "web", "mcp", "papers", "workbench", "sign", "pytest"
    )
    # Starlette reads forms with files by python-multipart.
    assert imported == extras - {"feverfew[web]", "python-multipart"}
