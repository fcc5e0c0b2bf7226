"""The sample encyclopedia holds together: its claims, evidence, links and redirects."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feverfew.readers.base import Parsed, Source
from feverfew.readers.mediawiki.dump import MediaWiki
from feverfew.text import title_key
from feverfew.types import Kind, Page, Redirect, Ref

SAMPLE = Path(str(files("feverfew"))) / "sample"
LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
CELLS = {Kind.CELL, Kind.HEADER_CELL}


@cache
def parsed() -> tuple[Parsed, ...]:
    reader = MediaWiki()
    sources = [Source(path, path.name) for path in sorted(SAMPLE.glob("*.xml"))]
    return tuple(
        reader.parse(record, source) for source in sources for record in reader.records(source)
    )


def pages() -> list[Page]:
    return [page for page in parsed() if isinstance(page, Page)]


def redirects() -> list[Redirect]:
    return [redirect for redirect in parsed() if isinstance(redirect, Redirect)]


@cache
def elements() -> dict[str, str]:
    return {str(ref): text for page in pages() for ref, text in page.elements()}


@cache
def claims() -> tuple[dict[str, Any], ...]:
    return tuple(
        msgspec.json.decode(line)
        for path in sorted(SAMPLE.glob("*.jsonl"))
        for line in path.read_bytes().splitlines()
    )


def evidence_sets(claim: dict[str, Any]) -> list[list[Ref]]:
    return [[Ref.parse(name) for name in found["content"]] for found in claim["evidence"]]


def kinds(claim: dict[str, Any]) -> Iterator[set[Kind]]:
    for refs in evidence_sets(claim):
        yield {ref.kind for ref in refs}


def test_there_are_enough_pages_and_claims() -> None:
    assert len(pages()) >= 120
    assert len(claims()) >= 150


def test_every_record_is_a_page_or_a_redirect() -> None:
    assert None not in parsed()


def test_titles_and_aliases_are_unique() -> None:
    names = [title_key(page.title) for page in pages()]
    names += [title_key(redirect.alias) for redirect in redirects()]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_every_redirect_leads_to_a_page() -> None:
    titles = {page.title for page in pages()}
    assert [r for r in redirects() if r.target not in titles] == []
    assert len(redirects()) >= 30


def test_most_links_lead_somewhere() -> None:
    known = {title_key(page.title) for page in pages()}
    known |= {title_key(redirect.alias) for redirect in redirects()}
    targets = [title_key(link.target) for page in pages() for _, link in page.links()]
    assert len(targets) >= 10 * len(pages()) / 2
    assert sum(target in known for target in targets) >= 0.6 * len(targets)


def test_titles_try_what_titles_can_hold() -> None:
    titles = [page.title for page in pages()]
    assert sum(title.endswith(")") for title in titles) >= 5
    assert sum(not title.isascii() for title in titles) >= 5
    assert any("'" in title for title in titles)


def test_pages_try_what_pages_can_hold() -> None:
    tables = [table for page in pages() for table in page.tables]
    cells = [cell for table in tables for row in table.rows for cell in row]
    lists = [ref for page in pages() for ref, _ in page.elements() if ref.kind is Kind.ITEM]
    assert sum(page.disambiguation for page in pages()) >= 3
    assert sum(table.infobox for table in tables) >= 60
    assert sum(bool(table.caption) for table in tables) >= 30
    assert any(cell.row_span > 1 for cell in cells)
    assert any(cell.column_span > 1 and cell.column for cell in cells)
    assert len(lists) >= 50


def test_no_markup_is_left_in_the_text() -> None:
    marks = ("[[", "]]", "{{", "}}", "'''", "<ref", "{|", "|}", "  ")
    left = {ref: text for ref, text in elements().items() if any(m in text for m in marks)}
    assert left == {}


def test_claim_ids_and_texts_are_unique() -> None:
    for key in ("id", "claim"):
        counts = Counter(claim[key] for claim in claims())
        assert [value for value, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: str(claim["id"]))
def test_every_claim_is_whole(claim: dict[str, Any]) -> None:
    assert claim["label"] in LABELS
    assert claim["claim"].strip() == claim["claim"] != ""
    assert claim["challenge"]
    sets = evidence_sets(claim)
    assert sets or claim["label"] == "NOT ENOUGH INFO"
    assert len(sets) <= 3
    for refs in sets:
        assert refs
        assert len(set(refs)) == len(refs)
        assert [str(ref) for ref in refs if not elements().get(str(ref))] == []
        # A set beyond what the official scorer keeps could never be found.
        assert sum(ref.kind is Kind.SENTENCE for ref in refs) <= 5
        assert sum(ref.kind is not Kind.SENTENCE for ref in refs) <= 25
    if sets:
        assert len({ref.page for ref in sets[0]}) == claim["num_hops"]


def test_claims_take_one_to_four_hops() -> None:
    hops = Counter(claim["num_hops"] for claim in claims())
    assert set(hops) == {1, 2, 3, 4}
    assert hops[1] >= 60
    assert hops[2] >= 45
    assert hops[3] >= 20
    assert hops[4] >= 14


def test_every_label_is_common_at_every_number_of_hops() -> None:
    counts = Counter(claim["label"] for claim in claims())
    for label, least, most in zip(LABELS, (0.3, 0.25, 0.15), (0.5, 0.45, 0.35), strict=True):
        assert least <= counts[label] / len(claims()) <= most
    seen = {(claim["label"], claim["num_hops"]) for claim in claims()}
    assert seen == {(label, hops) for label in LABELS for hops in (1, 2, 3, 4)}


def test_evidence_is_of_every_kind() -> None:
    found = [kind for claim in claims() for kind in kinds(claim)]
    assert sum(kind == {Kind.SENTENCE} for kind in found) >= 60
    assert sum(kind <= CELLS for kind in found) >= 40
    assert sum(Kind.SENTENCE in kind and bool(kind & CELLS) for kind in found) >= 10
    assert sum(Kind.ITEM in kind for kind in found) >= 5
    assert sum(Kind.HEADER_CELL in kind for kind in found) >= 2


def test_some_claims_weigh_many_cells() -> None:
    sizes = [sum(r.kind in CELLS for r in refs) for c in claims() for refs in evidence_sets(c)]
    assert sum(size >= 2 for size in sizes) >= 30
    assert sum(size >= 5 for size in sizes) >= 4
