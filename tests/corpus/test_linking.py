"""Links under changes: after any of them, those of a corpus that is built anew."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from feverfew.corpus import Corpus, linking
from feverfew.corpus.fsck import fsck
from feverfew.corpus.links import Links
from feverfew.corpus.update import add, remove, replace
from feverfew.types import Link, Page, Sentence
from making import made, page

START = {
    "Alpha_Song": ["Alpha Song was sung by Berta Quill in Corvan ."],
    "Berta_Quill": ["Quill was born in New Corvan ."],
    "Corvan": ["Corvan is a town ."],
}


def opened(tmp_path: Path) -> Path:
    directory = made(tmp_path, START)
    with Corpus.open(directory) as corpus:
        assert corpus.links.counts() == (2, 0)
    return directory


def links(directory: Path) -> dict[str, Links]:
    with Corpus.open(directory) as corpus:
        return {page.title: corpus.links_of(page.title) for page in corpus}


def test_a_page_that_comes_is_linked_to_and_hides_a_shorter_name(tmp_path: Path) -> None:
    directory = opened(tmp_path)
    add(directory, [page("New Corvan", "It is north of Corvan.")])
    found = links(directory)
    assert found["Berta_Quill"].out == ("New Corvan",)
    assert found["Corvan"].into == ("Alpha_Song", "New Corvan")
    add(directory, [page("Quill in Corvan", "See Alpha Song.")])
    assert links(directory)["Alpha_Song"] == Links(
        ("Berta_Quill", "Corvan"), ("Quill in Corvan",), ()
    )


def test_a_page_that_goes_is_no_longer_linked_to_until_it_comes_back(tmp_path: Path) -> None:
    directory = opened(tmp_path)
    remove(directory, ["Corvan"])
    assert links(directory)["Alpha_Song"].out == ("Berta_Quill",)
    assert fsck(directory) == []
    add(directory, [page("Corvan", "Again.")])
    assert links(directory)["Corvan"].into == ("Alpha_Song",)


def test_what_was_linked_to_and_missing_is_found_when_it_comes(tmp_path: Path) -> None:
    directory = opened(tmp_path)
    linking = Page("Linking", (Sentence(0, "There.", (Link("Far_Away", "There"),)),))
    add(directory, [linking])
    assert links(directory)["Linking"] == Links((), (), ("Far_Away",))
    add(directory, [page("far away", "Here.")])
    assert links(directory)["far away"].into == ("Linking",)
    add(directory, [page("Far Away", "The very one.")])
    assert links(directory)["far away"].into == ()
    assert links(directory)["Far Away"].into == ("Linking",)


def test_all_is_written_anew_when_much_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = opened(tmp_path)
    monkeypatch.setattr(linking, "MOST_RELINKED", 2)
    before = {path.name for path in directory.glob("g-*/links-*")}
    add(directory, [page(f"Page {n}", "Of Berta Quill.") for n in range(4)])
    assert fsck(directory) == []
    after = {path.name for path in directory.glob("g-*/links-*")}
    assert len(before) == len(after) == 6
    assert not before & after
    with Corpus.open(directory) as corpus:
        assert corpus.store.relinked() == []
    assert len(links(directory)["Berta_Quill"].into) == 5


def test_fsck_sees_links_to_pages_that_are_not_there(tmp_path: Path) -> None:
    from feverfew.corpus.pages import PageStore

    directory = opened(tmp_path)
    (folder,) = directory.glob("g-*")
    store = PageStore.open(folder / "pages.sqlite", writable=True)
    store.relink([(1, (99).to_bytes(4, "little"), b"")])
    store.commit()
    store.close()
    assert fsck(directory) == ["links lead to or from page 99, which is not there"]


TITLES = ["Linz", "linz", "New_Linz", "Graz_-LRB-city-RRB-", "Graz", "Old Graz (town)", "Čáslav"]
TEXTS = [
    "Not far from Linz or Graz, but from New Linz.",
    "A road leads from Čáslav to Old Graz.",
    "The Old Graz City of Caslav.",
    "The New Linz City road.",
    "",
]
TARGETS = ["linz", "Graz_(city)", "caslav", "Nowhere", "Graz"]
titles = st.sampled_from(TITLES)


@st.composite
def some_page(draw: st.DrawFn) -> Page:
    targets = draw(st.lists(st.sampled_from(TARGETS), max_size=2))
    text = draw(st.sampled_from(TEXTS))
    return Page(draw(titles), (Sentence(0, text, tuple(Link(t, t) for t in targets)),))


def distinct(pages: Sequence[Page]) -> list[Page]:
    return list({page.title: page for page in pages}.values())


class LikeOneBuiltAnew(RuleBasedStateMachine):
    """A corpus under changes, and one with the same pages that is linked from the start."""

    @initialize()
    def start(self) -> None:
        self.folder = TemporaryDirectory()
        self.directory = made(Path(self.folder.name), {"Base": ["Base is near Linz ."]})
        with Corpus.open(self.directory) as corpus:
            assert corpus.links

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    @rule(given=st.lists(some_page(), min_size=1, max_size=3))
    def replace(self, given: list[Page]) -> None:
        replace(self.directory, distinct(given))

    @rule(title=titles)
    def remove(self, title: str) -> None:
        with Corpus.open(self.directory) as corpus:
            there = any(page.title == title for page in corpus)
        if there:
            remove(self.directory, [title])

    @invariant()
    def both_agree(self) -> None:
        if not hasattr(self, "directory"):
            return
        assert fsck(self.directory) == []
        with Corpus.open(self.directory) as corpus:
            pages = list(corpus)
        with TemporaryDirectory() as other:
            anew = made(Path(other), {"Base": ["Base is near Linz ."]})
            add(anew, [page for page in pages if page.title != "Base"])
            assert _sets(links(anew)) == _sets(links(self.directory))


def _sets(found: dict[str, Links]) -> dict[str, list[set[str]]]:
    """Forget the order: numbers differ."""
    return {title: [set(own.out), set(own.into), set(own.missing)] for title, own in found.items()}


LikeOneBuiltAnew.TestCase.settings = settings(max_examples=6, stateful_step_count=8, deadline=None)
TestLikeOneBuiltAnew = LikeOneBuiltAnew.TestCase
