"""Changing a corpus in place: like a dictionary of pages, but durable."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from feverfew.corpus import Corpus, update
from feverfew.corpus.fsck import fsck
from feverfew.corpus.update import add, remove, replace
from feverfew.errors import InputError, NotFound
from feverfew.text import title_key
from feverfew.types import Page, Redirect
from making import made, many_pages, page

SMALL = {"Vienna": ["Vienna lies on the Danube ."], "Linz": ["Linz is in Austria ."]}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made(tmp_path, SMALL)


def found(directory: Path, word: str) -> list[str]:
    with Corpus.open(directory) as corpus:
        hits = corpus.text.search([word], 10)
        return [corpus.store.titles([number])[number] for number, _ in hits]


def test_an_added_page_is_found_by_title_alias_and_text(directory: Path) -> None:
    assert add(directory, [page("Graz_-LRB-city-RRB-", "On the Mur.", aliases=("Gradec",))]) == 1
    with Corpus.open(directory) as corpus:
        for name in ("Graz (city)", "graz", "Gradec"):
            assert corpus.page(name).sentences[0].text == "On the Mur." if name != "graz" else True
        assert len(corpus) == 3
    assert found(directory, "mur") == ["Graz_-LRB-city-RRB-"]
    assert fsck(directory) == []


def test_all_or_nothing(directory: Path) -> None:
    with pytest.raises(InputError, match=r"'linz' is already there; nothing was added .*replace"):
        add(directory, [page("Graz"), page("linz")])
    with pytest.raises(InputError, match="'Graz' is already there"):
        add(directory, [page("Graz"), page("Graz")])
    with pytest.raises(NotFound, match="no page 'Atlantis'; nothing was removed"):
        remove(directory, ["Linz", "Atlantis"])
    with pytest.raises(NotFound, match="no page 'linz'; nothing was removed"):
        remove(directory, ["Linz", "linz"])

    def broken() -> Iterator[Page]:
        yield page("Graz")
        raise InputError("a.jsonl:2: broken")

    with pytest.raises(InputError, match="broken"):
        add(directory, broken())
    with Corpus.open(directory) as corpus:
        assert {page.title for page in corpus} == set(SMALL)
    assert fsck(directory) == []


def test_replacing_forgets_the_old_text(directory: Path) -> None:
    assert replace(directory, [page("LINZ"), page("linz", "On steel."), page("Graz")]) == 3
    with Corpus.open(directory) as corpus:
        assert {page.title for page in corpus} == {"Vienna", "linz", "Graz", "LINZ"}
        assert corpus.page("Linz").title == "linz"
    assert found(directory, "austria") == []
    assert found(directory, "steel") == ["linz"]
    assert fsck(directory) == []


def test_a_removed_page_is_gone_and_may_come_back(directory: Path) -> None:
    remove(directory, ["Linz"])
    with Corpus.open(directory) as corpus:
        assert "Linz" not in corpus
    assert found(directory, "austria") == []
    add(directory, [page("Linz", "New.")])
    with Corpus.open(directory) as corpus:
        assert corpus.page("Linz").sentences[0].text == "New."
    assert fsck(directory) == []


def test_redirects_may_come_before_their_page_and_in_chains(directory: Path) -> None:
    redirects = [Redirect("Gradec", "Grätz"), Redirect("Grätz", "Graz"), Redirect("Wien", "Vienna")]
    assert add(directory, [*redirects, page("Graz")]) == 1
    for _ in range(2):
        with Corpus.open(directory) as corpus:
            assert [corpus.page(r.alias).title for r in redirects] == ["Graz", "Graz", "Vienna"]
        # And so it stays when the trie is made anew.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(update, "_MOST_NEW_NAMES", 0)
            add(directory, [page(f"Page {_}")])
    with pytest.raises(NotFound, match="'X' redirects to 'Atlantis', which is no page"):
        add(directory, [Redirect("X", "Atlantis")])
    with pytest.raises(NotFound, match="which is no page"):
        add(directory, [Redirect("X", "Y"), Redirect("Y", "X")])
    assert fsck(directory) == []


def test_the_trie_is_made_anew_when_many_names_lie_beside_it(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update, "_MOST_NEW_NAMES", 30)
    pages = [page(title, *body) for title, body in many_pages(60).items()]
    for start in range(0, 60, 12):
        add(directory, pages[start : start + 12])
        assert fsck(directory) == []
    assert [path.name for path in directory.glob("g-*/*.trie")] != ["titles-1.trie"]
    with Corpus.open(directory) as corpus:
        assert len(corpus.store.new_names()) <= 30
        assert all(made.title in corpus for made in pages)
        assert "Vienna" in corpus


def test_a_trie_that_was_cut_off_does_no_harm(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update, "_MOST_NEW_NAMES", 0)
    (generation,) = directory.glob("g-*")
    add(directory, [page("Before")])
    (version,) = generation.glob("titles-*.trie")
    following = generation / f"titles-{int(version.name[7:-5]) + 1}.trie"
    following.write_bytes(bytes(version.stat().st_size))  # as a killed writer may leave it
    monkeypatch.setattr(update, "_MOST_NEW_NAMES", 99)
    add(directory, [page("Between")])
    monkeypatch.setattr(update, "_MOST_NEW_NAMES", 0)
    add(directory, [page("After")])
    assert fsck(directory) == []
    with Corpus.open(directory) as corpus:
        assert all(title in corpus for title in ("Before", "Between", "After", "Linz"))


def test_nothing_changes_nothing(directory: Path) -> None:
    with Corpus.open(directory) as corpus:
        before = corpus.fingerprint
    assert add(directory, []) == remove(directory, []) == 0
    with Corpus.open(directory) as corpus:
        assert corpus.fingerprint == before


TITLES = ["Linz", "linz", "Graz_-LRB-city-RRB-", "Graz (city)", "Graz", "!!!", "Čáslav", "Caslav"]
titles = st.sampled_from(TITLES)
texts = st.sampled_from(["On the Danube.", "On the Mur.", ""])
pages = st.lists(st.builds(page, titles, texts), max_size=3)


class LikeADictionary(RuleBasedStateMachine):
    """A corpus under changes, beside a dictionary under the same."""

    @initialize()
    def start(self) -> None:
        self.folder = TemporaryDirectory()
        self.directory = made(Path(self.folder.name), {"Base": ["Always here ."]})
        self.model = {}
        with Corpus.open(self.directory) as corpus:
            self.model["Base"] = corpus.page("Base")

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    @rule(given=pages)
    def add(self, given: list[Page]) -> None:
        keys = [title_key(made.title) for made in given]
        if len(set(keys)) < len(keys) or any(key in self.model for key in keys):
            with pytest.raises(InputError):
                add(self.directory, given)
        else:
            assert add(self.directory, given) == len(given)
            self.model |= dict(zip(keys, given, strict=True))

    @rule(given=pages)
    def replace(self, given: list[Page]) -> None:
        assert replace(self.directory, given) == len(given)
        self.model |= {title_key(made.title): made for made in given}

    @rule(given=st.lists(titles, max_size=2))
    def remove(self, given: list[str]) -> None:
        keys = [title_key(title) for title in given]
        if len(set(keys)) < len(keys) or any(key not in self.model for key in keys):
            with pytest.raises(NotFound):
                remove(self.directory, given)
        else:
            remove(self.directory, given)
            for key in keys:
                del self.model[key]

    @invariant()
    def both_agree(self) -> None:
        if not hasattr(self, "model"):
            return
        with Corpus.open(self.directory) as corpus:
            assert {title_key(made.title): made for made in corpus} == self.model
            assert len(corpus) == len(self.model)
            for key, made_page in self.model.items():
                assert corpus.page(key) == made_page
            on_danube = {n for n, _ in corpus.text.search(["danube"], 99, title_weight=0)}
            assert on_danube == {
                corpus.number(key) for key, p in self.model.items() if "Danube" in str(p.blocks)
            }
        assert fsck(self.directory) == []


LikeADictionary.TestCase.settings = settings(max_examples=6, stateful_step_count=8, deadline=None)
TestLikeADictionary = LikeADictionary.TestCase
