from pathlib import Path

import msgspec
import pytest

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.hover import Hover
from feverfew.types import Link, Page, Sentence

SOURCE = Source(Path("abstracts.jsonl"), "abstracts.jsonl")


def parse(**fields: object) -> Page | None:
    return Hover().parse(Record(msgspec.json.encode(fields), 5), SOURCE)


def sentences(**fields: object) -> tuple[Sentence, ...]:
    page = parse(title="Gallu", **fields)
    assert page is not None
    return page.sentences


def test_running_text_is_split() -> None:
    assert sentences(text="Gallu was a demon. It was feared.") == (
        Sentence(0, "Gallu was a demon."),
        Sentence(1, "It was feared."),
    )


def test_sentences_keep_their_place_and_titles_their_spelling() -> None:
    page = parse(title="Simon &amp; Garfunkel", text=["A duo.", "  ", " They sang."])
    assert page is not None
    assert page.title == "Simon &amp; Garfunkel"
    assert page.sentences == (Sentence(0, "A duo."), Sentence(2, "They sang."))


@pytest.mark.parametrize("nested", [False, True])
def test_the_dump_with_links(nested: bool) -> None:
    plain = ["Simon & Garfunkel were a duo.", " They sang."]
    linked = ['<a href="Simon%20%26%20Garfunkel%23Life">Simon &amp; Garfunkel</a> were a duo.']
    linked.append(" They <a href='x'>sang</a>.")
    text, marked = ([plain], [linked]) if nested else (plain, linked)
    link = Link("Simon & Garfunkel", "Simon & Garfunkel")
    assert sentences(text=text, text_with_links=marked) == (
        Sentence(0, "Simon & Garfunkel were a duo.", (link,)),
        Sentence(1, "They sang."),
    )


def test_links_alone_give_the_text_too() -> None:
    expected = Sentence(0, "A demon of Uruk.", (Link("Uruk", "Uruk"),))
    marked = 'A demon of <a href="Uruk">Uruk</a>.'
    assert sentences(text_with_links=[marked]) == (expected,)
    assert sentences(text_with_links=marked) == (expected,)
    assert sentences(text="A demon of Uruk.", text_with_links=marked) == (expected,)


def test_links_out_of_the_encyclopedia_are_text() -> None:
    marked = 'See <a href="http%3A//example.org">the site</a>.'
    assert sentences(text_with_links=[marked]) == (Sentence(0, "See the site."),)


def test_an_empty_record_holds_no_page_but_a_title_does() -> None:
    assert parse(title="", text="") is None
    assert sentences(text="") == ()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"title": "", "text": "A."}, "no title"),
        ({"text": "A."}, "no 'title'"),
        ({"title": "A", "text": 5}, "at `$.text`"),
        ({"title": "A", "text": [[["A."]]]}, "at `$.text[0][0]`"),
    ],
)
def test_a_bad_record_says_where_and_why(fields: dict[str, object], why: str) -> None:
    with pytest.raises(BadRecord) as caught:
        parse(**fields)
    assert str(caught.value).startswith("abstracts.jsonl:5: ")
    assert why in str(caught.value)


def test_recognises_its_own() -> None:
    reader = Hover()
    assert reader.recognises(b'{"title": "A", "text": "B"}', SOURCE)
    assert reader.recognises(b'{"id": 1, "title": "A", "text_with_links": [', SOURCE)
    assert not reader.recognises(b'{"title": "A", "order": [], "text": ""}', SOURCE)
    assert not reader.recognises(b'{"claim": "title", "text": ""}', SOURCE)
