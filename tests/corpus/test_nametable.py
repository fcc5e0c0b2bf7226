"""Names looked up in whole texts: as if every run of words had been tried."""

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from feverfew.corpus.names import NameKind
from feverfew.corpus.nametable import NameTable, Spans, may_name, unique_page
from feverfew.text import cased, fold

KEYS = ["alpha", "alpha beta", "beta", "beta gamma delta", "gamma", "delta", "alpha beta gamma"]
MEANT = [3, 4, 7, 8, 11, 0, 12]
WORDS = ["Alpha", "alpha", "Beta", "Gamma", "Delta", "Ålpha", "of", "ΣIGMA"]
texts = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", " ", ", ", "\n", "  "])), max_size=9
).map(lambda parts: "".join(word + sign for word, sign in parts))


def tried(text: str) -> list[int]:
    """Find the same by trying every run of words."""
    table = dict(zip(KEYS, MEANT, strict=True))
    found: list[int] = []
    for line in cased(text).split("\n"):
        words, joined = [], []
        for piece in line.split():
            words.append(piece.strip(","))
            joined.append(not piece.endswith(","))
        capital = [word[0].isupper() or not word.isascii() for word in words]
        one_blank = "  " not in line
        at = 0
        while at < len(words):
            runs = [n for n in (3, 2, 1) if " ".join(words[at : at + n]).lower() in table]
            runs = [n for n in runs if at + n <= len(words)]
            if not capital[at] or not runs:
                at += 1
                continue
            meant = table[" ".join(words[at : at + runs[0]]).lower()]
            end = at + runs[0]
            beside = at > 1 and capital[at - 1] and joined[at - 1]
            beside = beside or (end < len(words) and capital[end] and joined[end - 1])
            if meant > 1 and (meant % 2 == 0 or (at > 0 and not (beside and one_blank))):
                found.append(meant // 2)
            at = end
    return found


@given(texts)
@settings(max_examples=150)
def test_as_if_every_run_of_words_were_tried(text: str) -> None:
    if "  " in text:
        text = text.replace("  ", " ")
    of, pages = NameTable.of(KEYS, MEANT).find([text])
    assert pages.tolist() == tried(text)
    assert set(of.tolist()) <= {0}


@given(st.lists(texts, max_size=4))
@settings(max_examples=40)
def test_many_texts_at_once_are_as_one_by_one(given_texts: list[str]) -> None:
    table = NameTable.of(KEYS, MEANT)
    of, pages = table.find(given_texts)
    apart = [table.find([text])[1].tolist() for text in given_texts]
    assert list(zip(of.tolist(), pages.tolist(), strict=True)) == [
        (at, page) for at, own in enumerate(apart) for page in own
    ]


def test_a_table_is_the_same_after_writing_and_without_names_finds_none(tmp_path: Path) -> None:
    NameTable.of(KEYS, MEANT).write(tmp_path)
    text = "See Alpha Beta, or x Gamma, there.\0"
    assert NameTable.open(tmp_path).find([text])[1].tolist() == [2, 5]
    assert NameTable.of([], []).find([text, ""])[1].tolist() == []
    assert NameTable.of(["!!!", "alpha beta"], [2, 4]).find([text])[1].tolist() == [2]


def test_what_a_name_means() -> None:
    full, alias, loose = NameKind.FULL, NameKind.ALIAS, NameKind.WITHOUT_PARENTHESIS
    assert unique_page([(5, full), (6, loose)], 2) == 10
    assert unique_page([(5, full)], 1) == 11
    assert unique_page([(5, full), (6, alias)], 2) == 0
    assert unique_page([(5, full), (5, alias)], 2) == 10
    assert unique_page([(6, loose)], 2) == 13
    assert unique_page([(6, loose)], 1) is None
    assert unique_page([(6, NameKind.BEFORE_COMMA)], 2) is None
    assert [may_name(key) for key in ("it", "b", "1984", "20 30", "rome", "it follows")] == [
        *(False,) * 4,
        *(True,) * 2,
    ]


@given(st.text(st.characters(max_codepoint=0x24F) | st.sampled_from("ЖжΣσςẞß漢あ–’"), max_size=20))
def test_what_is_folded_with_its_capitals_is_folded(text: str) -> None:
    assert fold(cased(text)) == fold(text)


def test_one_run_has_one_number_wherever_it_stands() -> None:
    spans = Spans.of("New York, new  york\nYork New York")
    first = np.array([0, 2, 5, 1, 4])
    numbers = spans.numbers(first, first + 1).tolist()
    assert numbers[0] == numbers[1] == numbers[2] != numbers[3] == numbers[4]
    assert spans.lines().tolist() == [0, 0, 0, 0, 1, 1, 1]
