"""Links between pages: both directions, through aliases, and what is not there."""

from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.corpus.fsck import fsck
from feverfew.corpus.links import LinkGraph
from feverfew.errors import CorpusDamaged
from feverfew.types import Link, Page
from making import made

LINKED = """{"id": "Alpha", "lines": "0\\tBeta and the Gamma .\\tBeta\\tBeta\\tGamma\\tgamma_ray"}
{"id": "Beta", "lines": "0\\tTo A , B itself , N nowhere .\\tA\\talpha\\tB\\tBeta\\tN\\tNowhere"}
{"id": "Gamma_Ray", "lines": "0\\tAlpha again .\\tAlpha\\tAlpha\\tAlpha\\tAlpha"}
{"id": "Delta", "lines": "0\\tDelta knows Alpha and the Gamma Ray ."}
"""
NAMED = {
    "Alpha_Song": ["Alpha Song was sung by Berta Quill in Corvan .", "It was sung in Rome ."],
    "Berta_Quill": ["Quill wrote Alpha Song , not the Lost Song ."],
    "Corvan": ["Corvan is a town .", "Arthur Corvan was never there ."],
    "Rome_-LRB-band-RRB-": ["A band ."],
    "It": ["A word ."],
}


def linked(tmp_path: Path, text: str = LINKED, **options: bool) -> Corpus:
    source = tmp_path / "pages.jsonl"
    source.write_text(text, encoding="utf-8")
    return Corpus.build([source], tmp_path / "linked.corpus", workers=0, **options)


def test_links_are_stored_in_both_directions_when_it_is_built(tmp_path: Path) -> None:
    with linked(tmp_path) as corpus:
        assert corpus.linked
        assert corpus.links_of("Alpha").out == ("Beta", "Gamma_Ray")
        assert corpus.links_of("Alpha").into == ("Beta", "Gamma_Ray", "Delta")
        assert corpus.links_of("Gamma_Ray").into == ("Alpha", "Delta")


def test_a_link_to_itself_is_dropped_and_one_to_no_page_kept_apart(tmp_path: Path) -> None:
    with linked(tmp_path) as corpus:
        assert corpus.links_of("Beta").out == ("Alpha",)
        assert corpus.links_of("Beta").missing == ("Nowhere",)
        assert corpus.links.counts() == (6, 1)


def test_only_pages_without_links_are_linked_by_what_they_mention(tmp_path: Path) -> None:
    with linked(tmp_path) as corpus:
        assert corpus.links_of("Delta").out == ("Alpha", "Gamma_Ray")
        assert "Gamma_Ray" not in corpus.links_of("Beta").out


def test_mentions_are_links_of_every_page_or_of_none_if_that_is_asked(tmp_path: Path) -> None:
    more = LINKED.replace("nowhere", "and near Delta")
    for asked, of_beta, of_delta in (
        (True, ("Alpha", "Delta"), ("Alpha", "Gamma_Ray")),
        (False, ("Alpha",), ()),
    ):
        with linked(tmp_path, more, link_mentions=asked) as corpus:
            assert corpus.linked
            assert corpus.links_of("Beta").out == of_beta
            assert corpus.links_of("Delta").out == of_delta


def test_a_corpus_without_links_is_linked_on_first_use(tmp_path: Path) -> None:
    directory = made(tmp_path, NAMED)
    with Corpus.open(directory) as corpus:
        assert not corpus.linked
        assert corpus.links_of("Corvan").into == ("Alpha_Song",)
        assert corpus.linked
    with Corpus.open(directory) as again:
        assert again.links_of("Alpha Song").out == ("Berta_Quill", "Corvan")


def test_names_are_read_strictly(tmp_path: Path) -> None:
    with Corpus.open(made(tmp_path, NAMED)) as corpus:
        # Not a part of another name, a line's first word, a single word but for its parenthesis.
        assert corpus.links_of("Corvan").out == ()
        assert corpus.links_of("It").into == ()
        assert corpus.links_of("Rome (band)").into == ()
        assert corpus.links_of("Berta Quill").out == ("Alpha_Song",)


def test_where_nothing_can_be_written_links_are_found_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from feverfew.corpus import layout
    from feverfew.errors import CorpusError

    def refused(*_: object, **__: object) -> None:
        raise CorpusError("cannot write")

    directory = made(tmp_path, NAMED)
    monkeypatch.setattr(layout, "write_lock", refused)
    with Corpus.open(directory) as corpus:
        assert corpus.links_of("Corvan").into == ("Alpha_Song",)
        assert not corpus.linked


def test_a_redirect_leads_on(tmp_path: Path) -> None:
    from feverfew.corpus.update import add
    from feverfew.types import Redirect, Sentence

    made(tmp_path, NAMED)
    with Corpus.open(tmp_path / "made.corpus") as corpus:
        assert corpus.links
    newcomer = Page("New", (Sentence(0, "See it.", (Link("The Quill", "it"),)),))
    add(tmp_path / "made.corpus", [newcomer, Redirect("The Quill", "Berta Quill")])
    with Corpus.open(tmp_path / "made.corpus") as corpus:
        assert corpus.links_of("New").out == ("Berta_Quill",)


def test_a_page_that_links_to_thousands_and_one_that_thousands_link_to(tmp_path: Path) -> None:
    count = 3_000
    links = "".join(f"\\tP\\tPage {number}" for number in range(count))
    lines = [f'{{"id": "Hub", "lines": "0\\tAll P of them .{links}"}}']
    lines += [f'{{"id": "Page_{n}", "lines": "0\\tOf H .\\tH\\tHub"}}' for n in range(count)]
    with linked(tmp_path, "\n".join(lines)) as corpus:
        hub = corpus.number("Hub")
        assert hub is not None
        assert len(corpus.links.out(hub)) == len(corpus.links.into(hub)) == count


def test_workers_find_the_same_links(tmp_path: Path) -> None:
    from feverfew.corpus.linking import link_pages
    from feverfew.corpus.pages import PageStore

    directory = made(tmp_path, {**NAMED, **{f"Page_{n}": ["See Berta Quill ."] for n in range(40)}})
    (folder,) = directory.glob("g-*")
    store = PageStore.open(folder / "pages.sqlite")
    found = []
    for workers in (0, 2):
        link_pages(folder, store, 1, workers=workers)
        found.append([path.read_bytes() for path in sorted(folder.glob("links-1.*"))])
    assert len(found[0]) == 6
    assert found[0] == found[1]


def test_links_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with linked(tmp_path) as corpus:
        (folder,) = corpus.path.glob("g-*")
    whole = (folder / "links-1.out.npy").read_bytes()
    (folder / "links-1.out.npy").write_bytes(whole[:-4])
    with pytest.raises(CorpusDamaged, match="links"):
        LinkGraph.open(folder, 1, [])
    with pytest.raises(CorpusDamaged, match="links"):
        Corpus.open(corpus.path)


def test_an_unfinished_build_in_another_way_is_not_resumed(tmp_path: Path) -> None:
    from feverfew.errors import InputError

    source = tmp_path / "pages.jsonl"
    source.write_text(LINKED + "{broken\n", encoding="utf-8")
    with pytest.raises(InputError):
        build([source], tmp_path / "c", workers=0, strict=True)
    with pytest.raises(InputError, match="in another way"):
        build([source], tmp_path / "c", workers=0, resume=True, link_mentions=True)
    build([source], tmp_path / "c", workers=0, resume=True)


@pytest.mark.parametrize("linked_before", [False, True])
def test_a_build_that_was_cut_off_while_linking_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linked_before: bool
) -> None:
    from feverfew.corpus import build as package

    link_pages = package.__dict__["link_pages"]

    def cut_off(*given: object, **options: object) -> None:
        if linked_before:
            link_pages(*given, **options)
        raise KeyboardInterrupt

    source = tmp_path / "pages.jsonl"
    source.write_text(LINKED, encoding="utf-8")
    monkeypatch.setattr(package, "link_pages", cut_off)
    with pytest.raises(KeyboardInterrupt):
        build([source], tmp_path / "c", workers=0)
    monkeypatch.undo()
    summary = build([source], tmp_path / "c", workers=0, resume=True)
    assert (summary.pages, summary.duplicates) == (4, 0)
    assert fsck(tmp_path / "c") == []
    with Corpus.open(tmp_path / "c") as corpus:
        assert corpus.links.counts() == (6, 1)
        assert len(corpus.text) == 4
