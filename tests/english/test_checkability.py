"""What can be checked, and what each other kind of input is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.english.checkability import LONGEST, RejectReason, reject_reason, tidy


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", RejectReason.EMPTY),
        (" \t\n\u00a0\u2003", RejectReason.EMPTY),
        ("\x00\x01\x1b\x7f", RejectReason.EMPTY),
        ("\u200b\u200d\ufeff", RejectReason.EMPTY),
        ("<br/><hr>", RejectReason.EMPTY),
        ("😀🎉👩‍🚀", RejectReason.NO_WORDS),
        ("… !? -- ;", RejectReason.NO_WORDS),
        ("12 34.5", RejectReason.NO_WORDS),
        ("https://example.org/a?b=c", RejectReason.NO_WORDS),
        ("someone@example.org", RejectReason.NO_WORDS),
        ("Paris", RejectReason.ONE_WORD),
        ("Москва — столица России.", RejectReason.NOT_ENGLISH),
        ("北京是中国的首都。", RejectReason.NOT_ENGLISH),
        ("القاهرة هي عاصمة مصر", RejectReason.NOT_ENGLISH),
        ("Berlin ist die Hauptstadt von Deutschland.", RejectReason.NOT_ENGLISH),
        ("Paris est la capitale de la France.", RejectReason.NOT_ENGLISH),
        ("Madrid es la capital de España.", RejectReason.NOT_ENGLISH),
        ("Roma è la capitale d'Italia.", RejectReason.NOT_ENGLISH),
        ("Lisboa é a capital de Portugal.", RejectReason.NOT_ENGLISH),
        ("Amsterdam is de hoofdstad van Nederland.", RejectReason.NOT_ENGLISH),
        ("Warszawa jest stolicą Polski.", RejectReason.NOT_ENGLISH),
        ("Who directed Metropolis?", RejectReason.QUESTION),
        ("Berlin is the capital of Germany?", RejectReason.QUESTION),
        ("what is the capital of France", RejectReason.QUESTION),
        ("did neil armstrong walk on the moon", RejectReason.QUESTION),
        ("word " * 50, RejectReason.REPEATED),
        ("The the the.", RejectReason.REPEATED),
        ("Ein kleiner Hund lief schnell über grüne Wiesen heim.", RejectReason.NOT_ENGLISH),
        ("Is it so? What do you think?", RejectReason.QUESTION),
    ],
)
def test_what_cannot_be_checked_has_its_reason(text: str, reason: RejectReason) -> None:
    assert reject_reason(text) is reason


@pytest.mark.parametrize(
    "text",
    [
        "Fritz Lang directed Metropolis.",
        "We have twelve offices.",
        "You must submit receipts within 30 days.",
        "People must be 18 to vote in Austria.",
        "I was born in Vienna.",
        "Metropolis is the best film ever.",
        "Close the valve before cleaning the pump.",
        "It will rain in Berlin tomorrow.",
        "Our revenue grew by 12 %.",
        "Water boils.",
        "Alexandra Daddario is lazy.",
        "The Danube is the second longest river in Europe.",
        "Metropolis was voted the greatest German film of all time.",
        "La La Land is a film.",
        "Die Hard stars Bruce Willis.",
        "Der Spiegel is a magazine.",
        "Les Misérables is a novel by Victor Hugo.",
        "Oscar de la Hoya won.",
        "Ludwig van Beethoven and Johann von Goethe met.",
        "Trần Ích Tắc lived in China.",
        "東京 (Tokyo) is the capital of Japan.",
        "I, Robot is a film.",
        "I Like Chopin is a song.",
        "I am Legend is a film.",
        "We Are the World is a song.",
        "My Chemical Romance is a band.",
        "Who Framed Roger Rabbit is a film.",
        "What's Up, Doc? is a film.",
        "Are You Being Served is a sitcom",
        "Bing Crosby sang Brother, Can You Spare a Dime?",
        "Will Smith is an actor.",
        "Can is a German band.",
        "May is a month.",
        "Run Lola Run is a film.",
        "Kill the Messenger is a film.",
        "Check is a form of payment.",
        "Metropolis is a film. What do you think of it?",
        "<p>Berlin is the <b>capital</b> of Germany.</p>",
        "Ber\u200blin is a city.",
        "Berlin 😀 is a city.",
    ],
)
def test_statements_pass(text: str) -> None:
    assert reject_reason(text) is None


def test_tidy_leaves_what_people_see() -> None:
    assert tidy("\ufeffBer\u200blin\x00 is&nbsp;a\u2009<b>city</b>.\r\n") == "Berlin is a city ."
    assert tidy("One.\n \nTwo\nthree.") == "One.\n\nTwo three."
    assert tidy("Cafe\u0301") == "Café"
    assert tidy("3 < 4 and 5 > 2") == "3 < 4 and 5 > 2"


def test_length_is_bounded() -> None:
    cut = tidy("word " * 10_000)
    assert len(cut) <= LONGEST
    assert cut.endswith("word")
    assert len(tidy("x" * 100_000)) == LONGEST
    assert reject_reason("Berlin is a city in Germany. " * 2_000) is None


@given(st.text())
def test_any_text_can_be_tidied(text: str) -> None:
    once = tidy(text)
    assert once == once.strip()
    assert len(once) <= LONGEST
    once.encode()
    reject_reason(text)


def test_every_reason_is_a_phrase_for_people() -> None:
    assert all(reason.value.islower() or "English" in reason.value for reason in RejectReason)
