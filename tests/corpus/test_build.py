"""Building: what is counted, what is reported, who wins."""

import gzip
import os
from pathlib import Path

import pytest

from feverfew.corpus import Corpus, update
from feverfew.corpus.build import Progress, build
from feverfew.corpus.fsck import fsck
from feverfew.errors import BadRecord, InputError, MissingExtra, UnknownFormat
from making import fever_file, fever_line, many_pages, page


def wiki_page(title: str, text: str) -> str:
    return f"<page><title>{title}</title><ns>0</ns><revision><text>{text}</text></revision></page>"


def wiki_file(path: Path, pages: dict[str, str]) -> Path:
    body = "\n".join(wiki_page(*page) for page in pages.items())
    path.write_text(f"<mediawiki>\n{body}\n</mediawiki>\n", encoding="utf-8")
    return path


def test_when_two_sources_hold_a_title_the_first_wins_and_it_is_counted(tmp_path: Path) -> None:
    first = fever_file(tmp_path / "a.jsonl", {"Linz_-LRB-city-RRB-": ["The first ."]})
    second = fever_file(tmp_path / "b.jsonl", {"linz (city)": ["The second ."], "Graz": ["New ."]})
    bad: list[BadRecord] = []
    summary = build([first, second], tmp_path / "c", on_bad=bad.append, strict=True)
    assert (summary.pages, summary.duplicates, summary.bad, bad) == (2, 1, 0, [])
    with Corpus.open(tmp_path / "c") as corpus:
        assert corpus.page("Linz (city)").sentences[0].text == "The first."
        assert corpus.page("Linz (city)").source == "a.jsonl"
    build([second, first], tmp_path / "c")
    with Corpus.open(tmp_path / "c") as corpus:
        assert corpus.page("Linz (city)").sentences[0].text == "The second."


def test_a_title_twice_in_one_source_is_reported_with_its_line(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text(fever_line("Linz", "One .") + "\n" + fever_line("Graz") + fever_line("linz"))
    bad: list[BadRecord] = []
    summary = build([source], tmp_path / "c", on_bad=bad.append)
    assert (summary.pages, summary.duplicates, summary.bad) == (2, 1, 0)
    assert [str(error) for error in bad] == ["a.jsonl:4: duplicate title 'linz'"]
    with pytest.raises(BadRecord, match=r"a\.jsonl:4: duplicate title"):
        build([source], tmp_path / "d", strict=True)


def test_redirects_lead_through_chains_but_not_in_circles(tmp_path: Path) -> None:
    source = wiki_file(
        tmp_path / "wiki.xml",
        {
            "Wien": "#REDIRECT [[Vienna]]",  # before its page
            "Vienna": "'''Vienna''' is a city.",
            "Vindobona": "#REDIRECT [[Wien]]",
            "Beč": "#REDIRECT [[Vindobona]]",
            "Ping": "#REDIRECT [[Pong]]",
            "Pong": "#REDIRECT [[Ping]]",
            "Self": "#REDIRECT [[Self]]",
            "Lost": "#REDIRECT [[Atlantis]]",
            "!!!": "#REDIRECT [[vienna]]",
        },
    )
    summary = build([source], tmp_path / "c")
    assert (summary.pages, summary.redirects, summary.dangling_redirects) == (1, 8, 4)
    with Corpus.open(tmp_path / "c") as corpus:
        for name in ("Wien", "wien", "Vindobona", "Beč", "Bec", "!!!"):
            assert corpus.page(name).title == "Vienna"
        for name in ("Ping", "Pong", "Self", "Lost", "Atlantis"):
            assert name not in corpus


def test_a_page_is_found_by_its_title_though_a_redirect_bears_it(tmp_path: Path) -> None:
    source = wiki_file(
        tmp_path / "wiki.xml",
        {"Danube": "A river.", "Linz": "A city.", "linz": "#REDIRECT [[Danube]]"},
    )
    build([source], tmp_path / "c")
    with Corpus.open(tmp_path / "c") as corpus:
        assert corpus.page("Linz").title == "Linz"
        assert corpus.page("linz").title == "Linz"


def test_disambiguation_pages_and_parentheses(tmp_path: Path) -> None:
    source = wiki_file(
        tmp_path / "wiki.xml",
        {
            "Mercury (planet)": "A planet.",
            "Mercury (element)": "A metal.",
            "Mercury": "Mercury may be: {{disambiguation}}",
        },
    )
    build([source], tmp_path / "c")
    with Corpus.open(tmp_path / "c") as corpus:
        assert corpus.page("Mercury").disambiguation
        assert not corpus.page("mercury_-LRB-planet-RRB-").disambiguation
        pages_named = {corpus.store.titles([n])[n] for n, _ in corpus.titles.pages_named("mercury")}
        assert pages_named == {"Mercury", "Mercury (planet)", "Mercury (element)"}


def test_workers_make_the_same_corpus_as_none(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "a.jsonl", {**many_pages(1_500), "Page_7_-LRB-odd-RRB-": ["x"]})
    summaries = [build([source], tmp_path / str(n), workers=n) for n in (0, 2)]
    assert summaries[0].pages == summaries[1].pages == 1_501
    with Corpus.open(tmp_path / "0") as alone, Corpus.open(tmp_path / "2") as shared:
        assert list(alone) == list(shared)
        assert alone.fingerprint == shared.fingerprint


def test_the_fingerprint_does_not_depend_on_the_order(tmp_path: Path) -> None:
    pages = many_pages(20)
    for name, items in (("a", pages.items()), ("b", reversed(pages.items()))):
        (tmp_path / name).mkdir()
        build([fever_file(tmp_path / name / "p.jsonl", dict(items))], tmp_path / name / "c")
    with Corpus.open(tmp_path / "a" / "c") as one, Corpus.open(tmp_path / "b" / "c") as other:
        assert one.fingerprint == other.fingerprint
    build([fever_file(tmp_path / "p.jsonl", dict(list(pages.items())[1:]))], tmp_path / "c")
    with Corpus.open(tmp_path / "a" / "c") as one, Corpus.open(tmp_path / "c") as other:
        assert one.fingerprint != other.fingerprint


@pytest.mark.parametrize("workers", [0, 1])
def test_progress_moves_within_one_compressed_file(tmp_path: Path, workers: int) -> None:
    source = tmp_path / "pages.jsonl.gz"
    plain = fever_file(tmp_path / "pages.jsonl", many_pages(4_000))
    source.write_bytes(gzip.compress(plain.read_bytes()))
    told: list[Progress] = []
    build([source], tmp_path / "c", on_progress=told.append, workers=workers)
    fractions = [progress.fraction for progress in told]
    assert fractions == sorted(fractions)
    assert len(set(fractions)) > 5
    assert 0 < fractions[0] < 0.5
    assert fractions[-1] == 1
    assert [progress.pages for progress in told] == sorted(progress.pages for progress in told)
    assert told[-1].stage == "finishing"


def test_a_corpus_that_lies_among_its_sources_is_not_read(tmp_path: Path) -> None:
    fever_file(tmp_path / "a.jsonl", {"Linz": ["A city ."]})
    for _ in range(2):
        bad: list[BadRecord] = []
        assert build([tmp_path], tmp_path / "my.corpus", on_bad=bad.append).pages == 1
        assert bad == []


def test_one_unreadable_file_among_others_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    fever_file(folder / "a.jsonl", {"Linz": ["A city ."]})
    os.mkfifo(folder / "b.jsonl")
    (folder / "c.jsonl").symlink_to("nowhere")
    (folder / "d.bin").write_bytes(b"\0\1\2" * 1_000)
    bad: list[BadRecord] = []
    summary = build([folder], tmp_path / "c", on_bad=bad.append)
    assert (summary.pages, summary.bad) == (1, 3)
    assert [error.path for error in bad] == ["b.jsonl", "c.jsonl", "d.bin"]
    with pytest.raises(BadRecord, match=r"^b\.jsonl: "):
        build([folder], tmp_path / "d", strict=True)


def test_what_cannot_be_built_says_why(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "a.jsonl", {"Linz": ["A city ."]})
    with pytest.raises(InputError, match="no such file or folder"):
        build([tmp_path / "nowhere"], tmp_path / "c")
    with pytest.raises(UnknownFormat, match="unknown format 'fevr'; known are fever, "):
        build([source, source], tmp_path / "c", format="fevr")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no file to index"):
        build([tmp_path / "empty"], tmp_path / "c")
    (tmp_path / "broken.jsonl").write_text('{"id": 1, "lines": ""}\n')
    with pytest.raises(InputError, match="no page found; 1 records could not be read"):
        build([tmp_path / "broken.jsonl"], tmp_path / "c", format="fever")
    assert not (tmp_path / "c" / "manifest.json").exists()


def test_an_extra_that_is_missing_costs_only_the_files_that_need_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from feverfew.readers import FORMATS

    folder = tmp_path / "folder"
    folder.mkdir()
    fever_file(folder / "a.jsonl", {"Linz": ["A city ."]})
    (folder / "b.md").write_text("# Graz\n\nA city.\n")

    def parse(*_: object) -> None:
        raise MissingExtra("reading Markdown", "documents")

    monkeypatch.setattr(type(FORMATS["documents"]), "parse", parse)
    bad: list[BadRecord] = []
    assert build([folder], tmp_path / "c", on_bad=bad.append, workers=0).pages == 1
    assert "pip install 'feverfew[documents]'" in str(bad[0])


@pytest.mark.parametrize("count", [1, 7, 200])
def test_pages_too_much_alike_to_learn_a_dictionary_from(tmp_path: Path, count: int) -> None:
    same = ["The very same sentence , again and again ."] * 120
    source = fever_file(tmp_path / "a.jsonl", {f"Page {n}": same for n in range(count)})
    assert build([source], tmp_path / "c").pages == count
    assert fsck(tmp_path / "c") == []


def test_a_build_over_a_corpus_that_is_open(tmp_path: Path) -> None:
    old = fever_file(tmp_path / "old.jsonl", {"Old": ["An oldword ."]})
    build([old], tmp_path / "c")
    with Corpus.open(tmp_path / "c") as corpus:
        build([fever_file(tmp_path / "new.jsonl", {"New": ["A newword ."]})], tmp_path / "c")
        assert corpus.page("Old").title == "Old"
        assert corpus.text.search(["oldword"], 1)
    with Corpus.open(tmp_path / "c") as corpus:
        assert "Old" not in corpus
        assert corpus.page("New").title == "New"


def test_links_that_lead_out_of_a_folder_are_reported_and_counted(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    fever_file(tmp_path / "in" / "a.jsonl", {"Linz": ["A city ."]})
    other = fever_file(tmp_path / "b.jsonl", {"Graz": ["A city ."]})
    (tmp_path / "in" / "b.jsonl").symlink_to(other)
    bad: list[BadRecord] = []
    summary = build([tmp_path / "in"], tmp_path / "c", workers=0, on_bad=bad.append)
    assert (summary.pages, summary.bad) == (1, 1)
    assert [error.path for error in bad] == ["b.jsonl"]
    with pytest.raises(BadRecord, match="leads out"):
        build([tmp_path / "in"], tmp_path / "d", workers=0, strict=True)


def test_a_title_that_is_a_whole_text_is_a_bad_record(tmp_path: Path) -> None:
    long = "x" * 1001
    lines = (
        fever_line("Linz", "A city .") + fever_line(long, "Long .") + fever_line(long[:1000], "Y .")
    )
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    wiki_file(tmp_path / "b.xml", {long: "Long.", "Graz": "A city."})
    bad: list[BadRecord] = []
    sources = [tmp_path / "a.jsonl", tmp_path / "b.xml"]
    summary = build(sources, tmp_path / "c", workers=0, on_bad=bad.append)
    assert (summary.pages, summary.bad) == (3, 2)
    assert [(error.path, error.line) for error in bad] == [("a.jsonl", 2), ("b.xml", 2)]
    assert all("the title is longer than 1,000 characters" in str(error) for error in bad)
    with pytest.raises(BadRecord, match="1,000"):
        update.add(tmp_path / "c", [page(long, "Long.")])
    assert len(Corpus.open(tmp_path / "c")) == 3
