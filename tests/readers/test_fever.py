from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.fever import Fever
from feverfew.text import detokenise
from feverfew.types import Link, Page, Sentence

SOURCE = Source(Path("wiki-001.jsonl"), "wiki-001.jsonl")


def parse(**fields: object) -> Page | None:
    return Fever().parse(Record(msgspec.json.encode(fields), 7), SOURCE)


def blocks(lines: str) -> tuple[Sentence, ...]:
    page = parse(id="Aruba", lines=lines)
    assert page is not None
    return page.sentences


def test_the_title_is_the_id_untouched_and_the_text_reads_well() -> None:
    lines = "0\tSavages -LRB- 2012 -RRB- is a `` film '' .\n1\tIt did n't end , it 's said ."
    page = parse(id="Savages_-LRB-2012_film-RRB-", text="", lines=lines)
    assert page == Page(
        "Savages_-LRB-2012_film-RRB-",
        (Sentence(0, "Savages (2012) is a “film”."), Sentence(1, "It didn't end, it's said.")),
        source="wiki-001.jsonl",
    )


def test_blank_lines_keep_their_number_free() -> None:
    assert blocks("0\tOne .\n1\t\n2\n3\t \n4\tFive .\n") == (
        Sentence(0, "One."),
        Sentence(4, "Five."),
    )


def test_hyperlinks_follow_the_sentence_and_targets_stay_titles() -> None:
    (sentence,) = blocks(
        "0\tThe Savages -LRB- band -RRB- play rock 'n' roll .\t"
        "Savages -LRB- band -RRB-\tSavages_-LRB-band-RRB-\trock 'n' roll\tRock 'n' roll"
    )
    assert sentence.text.startswith("The Savages (band) play")
    targets = [link.target for link in sentence.links]
    assert targets == ["Savages (band)", "Rock 'n' roll"]
    assert all(link.text in sentence.text for link in sentence.links)


@pytest.mark.parametrize(
    ("line", "text", "links"),
    [
        ("A city\tin Spain .\tSpain\tSpain", "A city in Spain.", [Link("Spain", "Spain")]),
        ("A city\tin\tSpain .\tSpain\tSpain", "A city in Spain.", [Link("Spain", "Spain")]),
        ("A city\tin Spain .", "A city in Spain.", []),
        ("In Spain .\tSpain", "In Spain.", []),
        ("In Spain .\tSpain\t", "In Spain.", []),
        ("In Spain .\tIberia\tIberia", "In Spain.", [Link("Iberia", "Iberia")]),
        ("\tSpain\tSpain", "", []),
    ],
)
def test_misplaced_tabs(line: str, text: str, links: list[Link]) -> None:
    expected = [Sentence(3, text, tuple(links))] if text else []
    assert list(blocks(f"3\t{line}")) == expected


def test_a_line_without_a_number_belongs_to_the_sentence_before() -> None:
    lines = "0\tIt was\nfounded in\n1920 .\tfounded\tFoundation\n1\tLater ."
    first, second = blocks(lines)
    assert first == Sentence(0, "It was founded in 1920.", (Link("Foundation", "founded"),))
    assert second == Sentence(1, "Later.")


def test_no_text_is_lost_where_numbers_are_wrong() -> None:
    assert blocks("No number .") == (Sentence(0, "No number."),)
    assert blocks("0\tOne\n0\ttwo .") == (Sentence(0, "One two."),)
    assert blocks("1\tb\n0\ta") == (Sentence(1, "b"), Sentence(0, "a"))
    assert blocks(f"0\ta\n{'9' * 5000}\tb") == (Sentence(0, f"a {'9' * 5000} b"),)


def test_a_hostile_line_of_tabs_takes_no_time() -> None:
    (sentence,) = blocks("0\t" + "x\ty" * 200_000)
    assert sentence.index == 0


def test_the_header_record_holds_no_page() -> None:
    assert parse(id="", text="", lines="") is None


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"id": "", "lines": "0\\tText ."}', "no title"),
        (b'{"id": "  ", "lines": ""}', "no title"),
        (b'{"lines": ""}', "no 'id'"),
        (b'{"id": "A"}', "no 'lines'"),
        (b'{"id": 4, "lines": ""}', "expected `str`, got `int` - at `$.id`"),
        (b'["id", "lines"]', "expected `object`, got `array`"),
        (b'{"id": "A", "lines": "0\\tText', "broken JSON"),
        (b'{"id": "A\\u0000", "lines": ""}', "holds a control character"),
        (b'{"id": "A\xff", "lines": ""}', "invalid UTF-8"),
        (b'{"id": "' + b"A" * 2000 + b'", "lines": ""}', "the title is longer than"),
        (b'{"id": "A", "lines": "", "x": ' + b"[" * 100_000 + b"}", "nested too deeply"),
    ],
)
def test_a_bad_record_says_where_and_why(data: bytes, why: str) -> None:
    with pytest.raises(BadRecord) as caught:
        Fever().parse(Record(data, 7), SOURCE)
    assert str(caught.value).startswith("wiki-001.jsonl:7: ")
    assert why in str(caught.value)


PLAIN = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1)


@given(st.dictionaries(st.integers(0, 999), st.lists(PLAIN, min_size=1)))
def test_every_line_comes_back_under_its_number(lines: dict[int, list[str]]) -> None:
    text = "\n".join(f"{number}\t{' '.join(words)}" for number, words in lines.items())
    read = {sentence.index: sentence.text for sentence in blocks(text)}
    expected = {number: detokenise(" ".join(words)).strip() for number, words in lines.items()}
    assert read == {number: text for number, text in expected.items() if text}


def test_recognises_its_own() -> None:
    reader = Fever()
    assert reader.recognises(b'{"id": "", "text": "", "lines": ""}\n', SOURCE)
    assert reader.recognises(b'garbage\n{"id": "A", "lines": "0\\tThe hea', SOURCE)
    assert not reader.recognises(b'{"id": 1, "claim": "lines"}', SOURCE)
