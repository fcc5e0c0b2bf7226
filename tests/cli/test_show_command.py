"""`feverfew show`: a page, or one element of it."""

import json

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.corpus import Corpus
from feverfew.errors import NotFound
from making import feverfew


def show(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["show", *arguments])


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("name", ["Fritz Lang", "fritz_lang", "Fritz  Lang"])
def test_a_page_in_any_spelling(name: str) -> None:
    shown = show(name)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout.startswith("Fritz Lang\n")
    assert "   0  " in shown.stdout


def test_json_holds_every_element_under_its_official_id(sample: Corpus) -> None:
    page = sample.page("Fritz Lang")
    found = json.loads(show("Fritz Lang", "--json").stdout)
    assert found["title"] == "Fritz Lang"
    assert found["elements"] == [{"id": str(ref), "text": text} for ref, text in page.elements()]
    assert found["links"][0].keys() == {"id", "target", "text"}
    assert found.keys() == {
        "title", "name", "aliases", "disambiguation", "source", "elements", "links", "fingerprint",
    }  # fmt: skip


def test_every_element_of_the_sample_can_be_shown_by_its_id(sample: Corpus) -> None:
    page = next(page for page in sample if page.tables and len(page.sentences) > 2)
    for ref, text in list(page.elements())[1:]:
        shown = json.loads(show(str(ref), "--json").stdout)
        assert shown == {"id": str(ref), "text": text}
    assert show(f"{page.title}_sentence_0").stdout == page.sentences[0].text + "\n"


def test_every_page_of_the_sample_can_be_printed(sample: Corpus) -> None:
    for page in sample:
        assert show(page.title).exit_code == 0


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Fritz Lnag", "no page 'Fritz Lnag'; near names are 'Fritz Lang'"),
        ("Fritz Lang_sentence_999", "page 'Fritz Lang' has no element 'Fritz Lang_sentence_999'"),
        ("Nobody at all_sentence_0", "no page 'Nobody at all_sentence_0'"),
        ("", "no page ''"),
    ],
)
def test_what_is_not_there(name: str, told: str) -> None:
    shown = show(name)
    assert isinstance(shown.exception, NotFound)
    assert told in str(shown.exception)


def test_not_found_has_a_code_of_its_own(sample: Corpus) -> None:
    done = feverfew("show", "--corpus", sample.path, "Atlantis the Lost")
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith("feverfew: no page 'Atlantis the Lost'")
