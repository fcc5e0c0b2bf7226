"""The results in docs/results: of experiments as declared, and honest where they differ."""

from pathlib import Path

import pytest

from feverfew.errors import InputError
from feverfew.lab.papers.experiment import load_experiment
from feverfew.lab.papers.measure import Measured, Result, holds
from feverfew.lab.papers.report import as_markdown, index, read_results
from feverfew.score.summary import Estimate

FOLDER = Path(__file__).parents[3] / "docs" / "results"
SAVED = read_results(FOLDER)


def test_there_are_results() -> None:
    assert SAVED
    assert (FOLDER / "README.md").read_text("utf-8") == index(SAVED)


@pytest.mark.parametrize("result", SAVED, ids=lambda result: result.name)
def test_a_result_is_of_the_experiment_as_it_is_declared(result: Result) -> None:
    declared = load_experiment(result.name)
    assert [figure.name for figure in result.figures] == [f.name for f in declared.figures]
    assert [figure.paper for figure in result.figures] == [f.paper for f in declared.figures]
    assert "sample" not in result.dataset
    assert all(figure.here or figure.missing for figure in result.figures)


@pytest.mark.parametrize("result", SAVED, ids=lambda result: result.name)
def test_what_the_paper_concludes_holds_or_the_text_says_why_not(result: Result) -> None:
    page = (FOLDER / f"{result.name}.md").read_text("utf-8")
    for ordering in load_experiment(result.name).orderings:
        if holds(ordering, result.figures) is False:
            assert ordering.differs, f"{ordering.above} is not above {ordering.below}: say why"
            assert ordering.differs in page
        else:
            assert not ordering.differs, f"{ordering.above} is above {ordering.below} after all"


@pytest.mark.parametrize("result", SAVED, ids=lambda result: result.name)
def test_the_page_says_what_the_figures_say(result: Result) -> None:
    assert (FOLDER / f"{result.name}.md").read_text("utf-8") == as_markdown(result)


def test_what_is_no_result_is_told(tmp_path: Path) -> None:
    (tmp_path / "fever").mkdir()
    (tmp_path / "fever/table-2.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match="not a result"):
        read_results(tmp_path)


def test_an_ordering_needs_both_figures() -> None:
    ordering = load_experiment("fever/section-5.4").orderings[0]
    row, _, column = ordering.above.partition(" | ")
    known = Measured(row=row, column=column, here=Estimate(2.0))
    row, _, column = ordering.below.partition(" | ")
    assert holds(ordering, [known]) is None
    assert holds(ordering, [known, Measured(row=row, column=column, here=Estimate(1.0))]) is True
    assert holds(ordering, [known, Measured(row=row, column=column, here=Estimate(3.0))]) is False
