"""Experiments as declared: all can be read, and mistakes in one are told."""

from pathlib import Path

import pytest

from feverfew.errors import InputError, NotFound
from feverfew.lab.papers.experiment import experiment_names, load_experiment
from feverfew.lab.papers.feverous import EXTRACTORS
from feverfew.lab.papers.runner import JUDGES, RETRIEVERS, SELECTORS

HEAD = 'paper = "P"\ntable = "T"\ntitle = "t"\n'
FIGURE = '[[figures]]\nrow = "a"\ncolumn = "b"\n'


@pytest.mark.parametrize("name", experiment_names())
def test_every_experiment_names_parts_that_exist(name: str) -> None:
    declared = load_experiment(name)
    assert declared.name == name
    assert declared.figures
    for figure in declared.figures:
        if figure.system is None:
            assert figure.missing
            continue
        assert figure.system.retrieve in RETRIEVERS
        assert figure.system.select in ("", *SELECTORS)
        own = ("da", "states", "ours", "majority", "open")
        known = JUDGES if figure.system.task == "fever" else own
        assert figure.system.judge in ("", *known)
        assert figure.system.cells in ("", *EXTRACTORS)


def test_the_tables_of_fever_are_there() -> None:
    wanted = {f"fever/table-{n}" for n in range(2, 7)} | {"fever/figure-3", "fever/section-5.7"}
    assert wanted <= set(experiment_names())


def test_the_tables_of_feverous_are_there() -> None:
    wanted = {"table-3", "table-4-left", "table-4-right", "section-3.2", "section-5.2"}
    assert {f"feverous/{name}" for name in wanted} <= set(experiment_names())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("paper = ", "not an experiment"),
        (HEAD, "figures"),
        (HEAD + FIGURE, "no system and metric"),
        (HEAD + 2 * (FIGURE + 'missing = "no data"\n'), "same row and column"),
        (HEAD + FIGURE + 'system = "x"\n', "no system is called 'x'"),
        (HEAD + FIGURE + "typo = 1\n", "typo"),
        (HEAD + 'claims = "mine"\n' + FIGURE, "mine"),
        (
            HEAD + FIGURE + 'missing = "m"\n[[orderings]]\nabove = "c | d"\nbelow = "a | b"\n',
            "names 'c | d'",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_told(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"own\.toml") as told:
        load_experiment(str(path))
    assert why in str(told.value)


def test_an_unknown_name_lists_those_that_exist() -> None:
    with pytest.raises(NotFound, match="fever/table-2"):
        load_experiment("fever/table-99")
    with pytest.raises(InputError, match="cannot be read"):
        load_experiment("absent.toml")
