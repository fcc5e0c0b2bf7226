"""`import feverfew` costs next to nothing and does no work."""

import json
import subprocess
import sys

import pytest

import feverfew

HEAVY = {"click", "lxml", "marisa_trie", "msgspec", "numpy", "nupunkt", "rich", "tantivy", "torch"}


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout


def loaded_by(code: str) -> set[str]:
    listing = run(f"{code}\nimport sys, json\nprint(json.dumps(list(sys.modules)))")
    return {name.partition(".")[0] for name in json.loads(listing.splitlines()[-1])}


def test_importing_loads_no_library() -> None:
    assert loaded_by("import feverfew") & HEAVY == set()


def test_importing_loads_no_room() -> None:
    listing = run("import feverfew, sys\nprint(*(m for m in sys.modules if 'feverfew' in m))")
    assert {m for m in listing.split() if not m.startswith("__editable__")} <= {
        "feverfew",
        "_feverfew",
    }


def test_a_name_loads_only_what_it_needs() -> None:
    assert loaded_by("from feverfew import Claim, Ref") & {"numpy", "tantivy", "nupunkt"} == set()


def test_help_loads_no_index_and_no_numbers() -> None:
    code = "from feverfew.cli.main import cli\ncli(['--help'], standalone_mode=False)"
    assert loaded_by(code) & {"numpy", "tantivy", "nupunkt", "lxml", "marisa_trie"} == set()


@pytest.mark.parametrize("name", feverfew.__all__)
def test_every_exported_name_is_there(name: str) -> None:
    assert getattr(feverfew, name) is not None
    assert name in dir(feverfew)


def test_all_is_sorted_and_equals_what_is_exported() -> None:
    assert sorted(feverfew.__all__) == sorted({*feverfew._HOMES, "__version__"})  # type: ignore[attr-defined]
    namespace: dict[str, object] = {}
    exec("from feverfew import *", namespace)
    assert namespace.keys() - {"__builtins__"} == set(feverfew.__all__)


def test_what_type_checkers_see_is_what_there_is() -> None:
    import ast
    import inspect

    tree = ast.parse(inspect.getsource(feverfew))
    seen = {
        (node.module, alias.name)
        for block in tree.body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    homes = feverfew._HOMES  # type: ignore[attr-defined]
    assert seen == {(f"feverfew.{room}", name) for name, room in homes.items()}


def test_an_unknown_name_lists_those_that_exist() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'Corpse'; it has .*Corpus"):
        _ = feverfew.Corpse  # type: ignore[attr-defined]


def test_the_version_is_that_of_the_package() -> None:
    assert feverfew.__version__.count(".") == 2
