"""Documents: what can be checked is found in its place, and the rest has its reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.check.documents import Passage, passages

DOCUMENT = """\
---
title: Fritz Lang
---
# Fritz Lang

**Fritz Lang** was an Austrian [director](http://example.org/a_b). He was born in Vienna.[1] Was
he great? I think so.

> He was the greatest of them all.

Films
=====

These are films:

- Metropolis was released in 1927.
- M (1931)
- [Fury](http://example.org/fury)
  * Fury was directed by *Lang*.

| film | year |
|------|------|
| M    | 1931 |

```python
print("Berlin is a city.")
```

"It was a good film," said Bob.

[ref]: http://example.org "Title"

<script>var a = 1;</script>

Berlin ist die Hauptstadt von Deutschland.
"""


def outcomes(text: str) -> list[str]:
    return [passage.claim or f"({passage.skipped})" for passage in passages(text)]


def test_a_document_is_read_in_order() -> None:
    assert outcomes(DOCUMENT) == [
        "(the document's settings)",
        "(a heading)",
        "Fritz Lang was an Austrian director.",
        "Fritz Lang was born in Vienna.",
        "(a question)",
        "I think so.",
        "(a quotation)",
        "(a heading)",
        "(an introduction to what follows)",
        "Metropolis was released in 1927.",
        "(not a sentence)",
        "(a list of links)",
        "Fury was directed by Lang.",
        "(a table)",
        "(code)",
        "(a quotation)",
        "(a list of links)",
        "(markup)",
        "(not in English)",
    ]


def test_passages_keep_the_original_words() -> None:
    found = passages(DOCUMENT)
    assert [p.text for p in found] == [DOCUMENT[p.start : p.end] for p in found]
    assert found[2].text == "**Fritz Lang** was an Austrian [director](http://example.org/a_b)."
    assert found[3].text == "He was born in Vienna.[1]"
    assert found[4].text == "Was\nhe great?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t\r\n ", []),
        ("\x00\x07", ["(empty)"]),
        ("😀🎉", ["(without words)"]),
        ("...!?", ["(without words)"]),
        ("---", []),
        ("Paris", ["(a heading)"]),
        ("Paris.", ["(a single word)"]),
        ("https://example.org/a", ["(a list of links)"]),
        ("- [a](b)\n- [c](d)\n", ["(a list of links)", "(a list of links)"]),
        ("Who directed M?", ["(a question)"]),
        ("Write a poem about Berlin.", ["Write a poem about Berlin."]),
        ("“To be or not to be, that is the question.”", ["(a quotation)"]),
        ("Москва — столица России.", ["(not in English)"]),
        ("北京是中国的首都。", ["(not in English)"]),
        ("القاهرة هي عاصمة مصر.", ["(not in English)"]),
        ("Paris est la capitale de la France.", ["(not in English)"]),
        ("<p>Berlin is the <b>capital</b> of Germany.</p>", ["Berlin is the capital of Germany."]),
        ("Ber\u200blin is a city.", ["Berlin is a city."]),
        ("M*A*S*H is a film.", ["M*A*S*H is a film."]),
        ("Berlin is a city.\r\n\r\nRome is a city.", ["Berlin is a city.", "Rome is a city."]),
        ("• Berlin is a city.\n• Rome is a city.", ["Berlin is a city.", "Rome is a city."]),
        ("1. Berlin is a city.\n2. Rome\n", ["Berlin is a city.", "(not a sentence)"]),
        ("    Berlin is a city. It is old.", ["Berlin is a city.", "Berlin is old."]),
        ("    x = 1", ["(code)"]),
        ("- finds the pages that matter", ["(not a sentence)"]),
        ("Rome is old. These are cities:", ["Rome is old.", "(an introduction to what follows)"]),
        ("The command is `pip install .` today.", ["The command is pip install. today."]),
        ("**Berlin is\na city. Rome is old.**", ["Berlin is a city.", "Rome is old."]),
        ("Berlin is\na city", ["Berlin is a city"]),
        (
            "Berlin is a city.\n\n# Rome\n\nIt is old.",
            ["Berlin is a city.", "(a heading)", "It is old."],
        ),
    ],
)
def test_odd_documents(text: str, expected: list[str]) -> None:
    assert outcomes(text) == expected


def test_long_documents() -> None:
    text = "Berlin is a city in Germany. " * 2_000
    assert len(passages(text)) == 2_000
    assert len(passages("word " * 10_000)) == 1
    assert len(passages("[" * 5_000)) == 1
    assert len(passages("> " * 5_000 + "x")) == 1


_PIECES = st.sampled_from(
    (
        "Berlin is a city. ",
        "It is old. ",
        "Why? ",
        "**bold**",
        "# ",
        "\n",
        "\n\n",
        "\r\n",
        "- ",
        "> ",
        "    ",
        "```\n",
        "|a|b|\n|-|-|\n",
        "[x](y)",
        "[a]: b\n",
        "<div>",
        "</div>",
        "<!-- ",
        "_",
        "* ",
        "1. ",
        "•  ",
        "---\n",
        "\t",
        "\x0b",
        "\u2028",
        "\x00",
        "“Yes,” said Bob. ",
        "http://a.b/c",
        "\\",
    )
)


@given(st.one_of(st.text(), st.lists(_PIECES).map("".join)))
def test_every_letter_of_any_text_is_in_a_passage(text: str) -> None:
    at = 0
    for passage in passages(text):
        assert at <= passage.start < passage.end <= len(text)
        assert passage.text == text[passage.start : passage.end]
        assert bool(passage.claim) != bool(passage.skipped)
        assert not any(map(str.isalpha, text[at : passage.start]))
        at = passage.end
    assert not any(map(str.isalpha, text[at:]))


def test_a_passage_is_a_value() -> None:
    assert passages("Rome is old.") == [Passage("Rome is old.", 0, 12, "Rome is old.", "")]
