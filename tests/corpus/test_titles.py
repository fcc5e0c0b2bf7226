"""Looking pages up by their titles, in any spelling."""

import html
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind
from feverfew.corpus.titles import TitleIndex, title_files, write_titles
from feverfew.corpus.update import add
from feverfew.errors import CorpusDamaged, NotFound
from feverfew.text import display_title, fever_title, title_key
from making import made, page

NAMES = [
    ("vienna", NameKind.FULL, 1),
    ("wien", NameKind.ALIAS, 1),
    ("touch", NameKind.FULL, 2),
    ("touch screen", NameKind.FULL, 3),
    ("mercury", NameKind.WITHOUT_PARENTHESIS, 4),
    ("mercury", NameKind.WITHOUT_PARENTHESIS, 5),
]


@pytest.fixture
def index(tmp_path: Path) -> TitleIndex:
    write_titles(tmp_path, 1, NAMES)
    newer = [("graz", NameKind.FULL, 6), ("mercury", NameKind.ALIAS, 7)]
    return TitleIndex.open(tmp_path, 1, newer)


def test_a_name_leads_to_all_its_bearers(index: TitleIndex) -> None:
    assert index.pages_named("wien") == [(1, NameKind.ALIAS)]
    assert [number for number, _ in index.pages_named("mercury")] == [4, 5, 7]
    assert index.pages_named("graz") == [(6, NameKind.FULL)]
    assert index.pages_named("atlantis") == index.pages_named("") == []
    assert len(index) == 6


def test_names_in_a_run_of_words(index: TitleIndex) -> None:
    assert sorted(index.names_at(["touch", "screens", "are"])) == [
        ("touch", 1, False),
        ("touch screen", 2, True),
    ]
    assert list(index.names_at(["touchy"])) == []
    assert list(index.names_at(["mercurys", "rise"])) == [("mercury", 1, True)]
    assert list(index.names_at(["graz", "is"])) == [("graz", 1, False)]
    assert list(index.names_at(["grazs", "is"])) == [("graz", 1, True)]
    assert list(index.names_at([])) == []


def test_an_index_without_names(tmp_path: Path) -> None:
    write_titles(tmp_path, 3, [])
    assert len(TitleIndex.open(tmp_path, 3, [])) == 0


def test_files_that_do_not_fit_each_other(tmp_path: Path) -> None:
    write_titles(tmp_path, 1, NAMES)
    np.save(tmp_path / title_files(1)["bearers.npy"], np.zeros(3, np.uint64))
    with pytest.raises(CorpusDamaged, match="does not fit"):
        TitleIndex.open(tmp_path, 1, [])
    with pytest.raises(CorpusDamaged, match="again"):
        TitleIndex.open(tmp_path, 2, [])


ODD = [
    "Savages (2012 film)", "Beyoncé", "AT&T", "!!!", "★", "C++", "What? [sic]", "Alien: Covenant",
    "Ångström", "İstanbul", "ǆ", "ßeta", "Δ", "北京", "नई दिल्ली", "Nguyễn", "ﬁsh", "½", "e\u0301",
    "A_B", "-LRB-", "Foo -LRB- bar", "&", "a  b", "X (Y) (Z)", "(1)", "1", "The The",
]  # fmt: skip


def spellings(title: str) -> list[str]:
    shown = display_title(title)
    return [
        title,
        fever_title(title),
        shown,
        shown.replace(" ", "_"),
        f" {shown} ",
        unicodedata.normalize("NFD", title),
        unicodedata.normalize("NFC", title),
        html.escape(title),
        title[:1].upper() + title[1:],
    ]


def test_odd_titles_are_found_by_any_spelling(tmp_path: Path) -> None:
    directory = made(tmp_path, {title: [f"About number {n} ."] for n, title in enumerate(ODD)})
    with Corpus.open(directory) as corpus:
        assert len(corpus) == len(ODD)
        for title in ODD:
            for spelled in spellings(title):
                assert corpus.page(spelled).title == title, spelled


titles = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30).filter(
    lambda title: title_key(title) and "&" not in title
)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(titles, min_size=1, max_size=25, unique_by=title_key))
def test_any_title_is_found_by_any_spelling(
    tmp_path_factory: pytest.TempPathFactory, given_titles: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("titles")
    half = len(given_titles) // 2
    # One half lies in the trie, the other beside it.
    directory = made(folder, {"Base": ["."], **{title: ["."] for title in given_titles[:half]}})
    with Corpus.open(directory) as corpus:
        fresh = [title for title in given_titles[half:] if title_key(title) != "Base"]
    add(directory, [page(title) for title in fresh])
    with Corpus.open(directory) as corpus:
        for title in [*given_titles[:half], *fresh]:
            for spelled in spellings(title):
                assert corpus.page(spelled).title == title, spelled


def test_case_and_accents_matter_only_if_nothing_else_fits(tmp_path: Path) -> None:
    directory = made(tmp_path, {"Polish": ["."], "Łódź": ["."], "US": ["."], "Us": ["."]})
    with Corpus.open(directory) as corpus:
        assert corpus.page("lodz").title == "Łódź"
        assert corpus.page("POLISH").title == "Polish"
        assert (corpus.page("US").title, corpus.page("Us").title) == ("US", "Us")
        with pytest.raises(NotFound, match=r"no page 'Polihs'; near names are 'Polish'"):
            corpus.page("Polihs")
        with pytest.raises(NotFound, match=r"^no page ''$"):
            corpus.page("")
