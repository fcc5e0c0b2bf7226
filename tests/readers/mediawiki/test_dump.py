import bz2
import gzip
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from feverfew.errors import BadRecord
from feverfew.readers.base import Parsed, Record, Source
from feverfew.readers.mediawiki import dump
from feverfew.readers.mediawiki.dump import MediaWiki
from feverfew.types import Page, Redirect, Section, Sentence

READER = MediaWiki()


def page(title: str, text: str, ns: int = 0, extra: str = "") -> str:
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{ns}</ns>\n    <id>1</id>\n{extra}"
        f"    <revision>\n      <id>2</id>\n      <model>wikitext</model>\n"
        f'      <text xml:space="preserve">{escape(text)}</text>\n    </revision>\n  </page>\n'
    )


def export(*pages: str, schema: str = "0.10") -> bytes:
    return (
        f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-{schema}/" version="{schema}">\n'
        "  <siteinfo>\n    <sitename>Small</sitename>\n    <namespaces>\n"
        '      <namespace key="0" case="first-letter" />\n'
        '      <namespace key="6" case="first-letter">Datei</namespace>\n'
        "    </namespaces>\n  </siteinfo>\n" + "".join(pages) + "</mediawiki>\n"
    ).encode()


def source(tmp_path: Path, data: bytes) -> Source:
    path = tmp_path / "dump.xml"
    path.write_bytes(data)
    return Source(path, "dump.xml")


def read(tmp_path: Path, data: bytes) -> tuple[list[Parsed], list[Record]]:
    """Return what was parsed, and the records with a problem."""
    given = source(tmp_path, data)
    records = list(READER.records(given))
    good = [READER.parse(record, given) for record in records if not record.problem]
    return good, [record for record in records if record.problem]


ARUBA = page("Aruba", "'''Aruba''' is an [[island]].\n\n== History ==\nIt is old & dry.")


@pytest.mark.parametrize("schema", ["0.10", "0.11"])
def test_pages_redirects_and_other_namespaces(tmp_path: Path, schema: str) -> None:
    redirect = page("Isle", "#REDIRECT [[Island#Small]]", extra='    <redirect title="Island" />\n')
    data = export(ARUBA, redirect, page("Talk:Aruba", "Hello.", ns=1), schema=schema)
    (aruba, isle, talk), problems = read(tmp_path, data)
    assert not problems
    assert isinstance(aruba, Page)
    assert aruba.title == "Aruba"
    assert aruba.source == "dump.xml"
    assert [s.text for s in aruba.sentences] == ["Aruba is an island.", "It is old & dry."]
    assert Section(0, "History", 1) in aruba.blocks
    assert isle == Redirect("Isle", "Island")
    assert talk is None


def test_a_redirect_known_only_by_its_text(tmp_path: Path) -> None:
    (found,), _ = read(tmp_path, export(page("Isle", "#redirect:[[small_island#Top|x]]")))
    assert found == Redirect("Isle", "small island")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Mercury (disambiguation)", "Several."),
        ("Mercury", "Several.\n{{disambig}}"),
        ("Mercury", "Several.\n{{Disambiguation|geo}}"),
        ("Mercury", "Several.\n{{hndis|name=Mercury}}"),
        ("Mercury", "Several.\n{{Template:Geodis}}"),
    ],
)
def test_disambiguation_is_flagged(tmp_path: Path, title: str, text: str) -> None:
    (found, other), _ = read(tmp_path, export(page(title, text), ARUBA))
    assert isinstance(found, Page)
    assert found.disambiguation
    assert isinstance(other, Page)
    assert not other.disambiguation


def test_the_wiki_names_its_own_namespaces(tmp_path: Path) -> None:
    (found,), _ = read(tmp_path, export(page("A", "One [[Datei:x.jpg|mini|A [[b]] c]] two.")))
    assert isinstance(found, Page)
    assert found.blocks == (Sentence(0, "One two."),)


@pytest.mark.parametrize(
    "pack",
    [
        lambda data: data,
        gzip.compress,
        bz2.compress,
        # Multistream: the header, some pages, the end, each compressed on its own.
        lambda data: b"".join(
            bz2.compress(part) for part in (data[:300], data[300:700], data[700:])
        ),
    ],
    ids=["plain", "gz", "bz2", "multistream"],
)
def test_compressed_dumps(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    found, problems = read(tmp_path, pack(export(ARUBA, ARUBA.replace("Aruba", "Bonaire"))))
    assert [p.title for p in found if isinstance(p, Page)] == ["Aruba", "Bonaire"]
    assert not problems


def test_a_record_knows_its_line(tmp_path: Path) -> None:
    data = export(ARUBA, ARUBA)
    lines = [record.line for record in READER.records(source(tmp_path, data))]
    opened = [n for n, line in enumerate(data.split(b"\n"), 1) if b"<page>" in line]
    assert lines == opened


def test_lines_and_pages_survive_small_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = source(tmp_path, export(*[ARUBA] * 5))
    whole = list(READER.records(given))
    for size in (7, 64, 1000):
        monkeypatch.setattr(dump, "_CHUNK", size)
        assert list(READER.records(given)) == whole


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_a_truncated_dump_gives_what_came_before_and_says_so(tmp_path: Path, keep: float) -> None:
    data = export(*[ARUBA] * 20)
    whole, _ = read(tmp_path, data)
    found, problems = read(tmp_path, data[: int(len(data) * keep)])
    assert 0 < len(found) < len(whole)
    assert found == whole[: len(found)]
    assert len(problems) == 1
    assert "cut off" in problems[0].problem


def test_a_dump_cut_between_two_pages_is_not_silent(tmp_path: Path) -> None:
    data = export(ARUBA).removesuffix(b"</mediawiki>\n")
    found, (problem,) = read(tmp_path, data)
    assert len(found) == 1
    assert "</mediawiki>" in problem.problem


@pytest.mark.parametrize("compress", [bz2.compress, gzip.compress])
def test_a_truncated_stream_is_not_silent(tmp_path: Path, compress: object) -> None:
    assert callable(compress)
    packed: bytes = compress(export(*[ARUBA] * 20))
    _, problems = read(tmp_path, packed[: len(packed) * 2 // 3])
    assert len(problems) == 1


def test_a_broken_page_harms_no_other(tmp_path: Path) -> None:
    given = source(
        tmp_path,
        export(ARUBA, "<page><title>Broken</titel></page>\n", page("Last", "One."))
        .replace(b"old", b"\xff\xfe"),
    )  # fmt: skip
    invalid, broken, last = READER.records(given)
    with pytest.raises(BadRecord, match=r"dump\.xml:9: not well-formed"):
        READER.parse(invalid, given)
    with pytest.raises(BadRecord, match="not well-formed"):
        READER.parse(broken, given)
    assert isinstance(READER.parse(last, given), Page)


def test_an_unclosed_page_is_reported_and_the_next_one_read(tmp_path: Path) -> None:
    found, (problem,) = read(tmp_path, export(ARUBA.replace("</page>", ""), ARUBA))
    assert [p.title for p in found if isinstance(p, Page)] == ["Aruba"]
    assert problem.problem == "the page is not closed"
    with pytest.raises(BadRecord, match=r"dump\.xml:9: the page is not closed"):
        READER.parse(problem, Source(tmp_path, "dump.xml"))


def test_a_page_without_title(tmp_path: Path) -> None:
    given = source(tmp_path, export(ARUBA.replace("Aruba</title>", "</title>")))
    with pytest.raises(BadRecord, match="no <title>"):
        READER.parse(next(iter(READER.records(given))), given)


def test_a_page_too_long_is_skipped_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dump, "LONGEST_PAGE", 1 << 20)
    monkeypatch.setattr(dump, "_CHUNK", 1 << 16)
    found, (problem,) = read(tmp_path, export(page("Long", "x \n" * 10**6), ARUBA))
    assert [p.title for p in found if isinstance(p, Page)] == ["Aruba"]
    assert problem.problem == "the page is longer than 1 MB"
    assert problem.line == 9


def test_entities_do_not_expand(tmp_path: Path) -> None:
    bomb = (
        b'<!DOCTYPE m [<!ENTITY a "' + b"x" * 1000 + b'"><!ENTITY b "' + b"&a;" * 1000 + b'">]>\n'
    )
    given = source(tmp_path, bomb + export(ARUBA.replace("dry", "&b;"), ARUBA))
    first, second = READER.records(given)
    with pytest.raises(BadRecord, match="not well-formed"):
        READER.parse(first, given)
    assert isinstance(READER.parse(second, given), Page)


def test_absurd_nesting_is_a_bad_record(tmp_path: Path) -> None:
    given = source(tmp_path, export(page("Deep", "{{a|" * 100_000)))
    with pytest.raises(BadRecord, match=r"dump\.xml:9: the markup is nested deeper than"):
        READER.parse(next(iter(READER.records(given))), given)


def test_recognises_only_exports() -> None:
    here = Source(Path("x"), "x")
    assert READER.recognises(export(ARUBA), here)
    assert READER.recognises(b'\xef\xbb\xbf<?xml version="1.0"?>\n<mediawiki>', here)
    assert not READER.recognises(b"<html><body>&lt;mediawiki&gt; <mediawiki ></body>", here)
    assert not READER.recognises(b'{"id": "<mediawiki>"}', here)


def test_ids_are_stable(tmp_path: Path) -> None:
    data = export(ARUBA, page("B", "* a\n** b\n{|\n! x\n|-\n| y\n|}\n"))
    assert read(tmp_path, data) == read(tmp_path, data)
