"""What is there is documented, what is documented is there, and the examples work."""

import doctest
import re
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click
import pytest

from feverfew.cli.main import COMMANDS, EXIT_CODES, cli
from tools.refresh_docs import PAGES as ALL_PAGES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
COMMAND_LINE = DOCS / "reference" / "cli.md"
PAGES = [page for page in ALL_PAGES if DOCS in page.parents]
PROSE = [*sorted(ROOT.glob("*.md")), *PAGES]
SOURCE = ROOT / "src"
MODULES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCE.rglob("*.py"))
]
LONGEST_FILE = 450
TRAINING = (
    "feverfew.lab.train.average",
    "feverfew.lab.train.classifier",
    "feverfew.lab.train.encoder",
    "feverfew.lab.train.export",
    "feverfew.lab.train.loop",
    "feverfew.lab.train.from_ct2",
    "feverfew.lab.train.starts",
    "feverfew.lab.train.programs",
    "feverfew.lab.papers.feverous_verdict",
    "feverfew.lab.papers.learning",
    "feverfew.lab.papers.networks",
)
"""Modules that need the training extra."""


def load(name: str) -> ModuleType:
    if name.startswith(("feverfew.store", "feverfew.workbench", "feverfew.arena")):
        pytest.importorskip("sqlalchemy", reason="needs the extra: feverfew[workbench]")
    if name in TRAINING:
        pytest.importorskip("torch", reason="needs the extra: feverfew[train]")
    return import_module(name)


@cache
def section(command: str) -> str:
    """Return what the command line reference says about one command."""
    text = COMMAND_LINE.read_text("utf-8")
    found = re.search(rf"^## feverfew {command}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert found, f"{COMMAND_LINE} has no section '## feverfew {command}'"
    return found[1]


def parameters(command: str) -> list[click.Parameter]:
    loaded = cli.get_command(click.Context(cli), command)
    assert loaded is not None
    inner = loaded.commands.values() if isinstance(loaded, click.Group) else ()
    return [*loaded.params, *(parameter for step in inner for parameter in step.params)]


def spellings(parameter: click.Parameter) -> list[str]:
    if isinstance(parameter, click.Option):
        return [*parameter.opts, *parameter.secondary_opts]
    return [re.sub(r"\W", "", parameter.metavar or str(parameter.name).upper())]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_and_option_is_documented(command: str) -> None:
    rows = " ".join(re.findall(r"^\| (`.*?) \|", section(command), re.M))
    missing = [
        name
        for parameter in parameters(command)
        for name in spellings(parameter)
        if not re.search(rf"`{re.escape(name)}(?=[` \[])", rows)
    ]
    assert missing == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_documented_option_exists(command: str) -> None:
    known = {name for parameter in parameters(command) for name in spellings(parameter)}
    named = set(re.findall(r"(?<![\w-])(--?[a-z][a-z0-9-]*)", section(command)))
    assert named <= known


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_in_the_table_with_its_own_words(command: str) -> None:
    table = COMMAND_LINE.read_text("utf-8")
    assert f"| [`{command}`](#feverfew-{command}) | {COMMANDS[command]} |" in table


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_help(command: str) -> None:
    options = [p for p in parameters(command) if isinstance(p, click.Option)]
    assert [p.name for p in options if not p.help] == []
    loaded = cli.get_command(click.Context(cli), command)
    assert loaded is not None
    assert loaded.help
    assert loaded.name == command


def test_every_exit_code_is_documented() -> None:
    rows = re.findall(r"^\| (\d) \| ", COMMAND_LINE.read_text("utf-8"), re.M)
    assert [int(row) for row in rows] == sorted({0, 1, 2, *EXIT_CODES.values()})


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
    names = {re.split(r"[<>=~\[ ;]", line)[0] for line in lines} - {"feverfew"}
    text = (DOCS / "reference" / "dependencies.md").read_text("utf-8")
    assert names == set(re.findall(r"^\| `([\w-]+)` \|", text, re.M))


def test_every_page_is_linked_from_the_index() -> None:
    linked = set(re.findall(r"\]\(([\w/-]+\.md)\)", (DOCS / "index.md").read_text("utf-8")))
    assert linked == {str(page.relative_to(DOCS)) for page in PAGES} - {"index.md"}


def test_every_page_named_in_the_code_exists() -> None:
    """Help texts, errors and comments name pages of the docs."""
    named = {
        (path.relative_to(ROOT), name)
        for part in ("src", "benchmarks", "tools")
        for path in _python(part)
        for name in re.findall(r"docs/[\w/-]+\.md", path.read_text("utf-8"))
    }
    assert {(path, name) for path, name in named if not (ROOT / name).exists()} == set()


def anchors(text: str) -> set[str]:
    """List the headings' anchors, as they are made on the web."""
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PROSE, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    for target, fragment in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", text):
        there = page.parent / target if target else page
        assert there.exists(), f"{page.name} links to {target}, which does not exist"
        if fragment:
            assert fragment in anchors(there.read_text("utf-8")), f"{page.name}: #{fragment}"


@pytest.mark.parametrize("name", MODULES)
def test_what_a_package_lists_is_there(name: str) -> None:
    module = load(name)
    offered = getattr(module, "__all__", [])
    assert len(set(offered)) == len(offered)
    assert [wanted for wanted in offered if not hasattr(module, wanted)] == []
    assert [wanted for wanted in offered if wanted.startswith("_")] in ([], ["__version__"])


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is(name: str) -> None:
    doc = load(name).__doc__ or ""
    assert len(doc) > 20


@pytest.mark.parametrize("name", MODULES)
def test_every_example_in_a_docstring_is_true(name: str) -> None:
    failed, _ = doctest.testmod(load(name))
    assert failed == 0


def test_every_file_reads_in_one_sitting() -> None:
    files = [
        p for part in ("src", "tests", "benchmarks", "experiments", "tools") for p in _python(part)
    ]
    files = [p for p in files if p.parent.name != "versions"]  # these are written by Alembic
    long = {p.name: n for p in files if (n := p.read_bytes().count(b"\n")) > LONGEST_FILE}
    assert long == {}


def _python(part: str) -> list[Path]:
    return sorted((ROOT / part).rglob("*.py"))


def test_the_error_tree_is_the_same_everywhere() -> None:
    from feverfew import errors

    drawn = (errors.__doc__ or "").partition("\n\n")[2].strip()
    assert drawn in (DOCS / "reference" / "api.md").read_text("utf-8")
