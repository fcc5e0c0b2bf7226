"""Numbers, dates, quantities and negation, between a claim and a piece of evidence."""

from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.english.checks import FEATURES, checks, features
from feverfew.english.numbers import find

LIFE = "Ada Brook (12 May 1890 – 3 June 1961) was a British chemist."
FILM = "Night Ferry is a 2005 British film released on 4 March 2005."


def answers(claim: str, evidence: str) -> list[tuple[str, bool]]:
    return [(check.kind, check.agrees) for check in checks(claim, evidence)]


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("Ada Brook was born in 1890.", LIFE, [("date", True)]),
        ("Ada Brook was born in 1975.", LIFE, [("date", False)]),
        ("Ada Brook was born on May 12, 1890.", LIFE, [("date", True)]),
        ("Ada Brook was born on 13 May 1890.", LIFE, [("date", False)]),
        ("Ada Brook was born on May 12th.", LIFE, [("date", True)]),
        ("Ada Brook was born on May 14th.", LIFE, [("date", False)]),
        ("Ada Brook was born before 1900.", LIFE, [("bound", True)]),
        ("Ada Brook was born after 1900.", LIFE, [("bound", False)]),
        ("Ada Brook was born prior to 1880.", LIFE, [("bound", False)]),
        ("Ada Brook was born between 1885 and 1895.", LIFE, [("bound", True)]),
        ("Ada Brook was born in the 19th century.", LIFE, [("date", True)]),
        ("Ada Brook was born in the twenty-first century.", LIFE, [("date", False)]),
        ("Ada Brook died in the 1960s.", LIFE, [("date", True)]),
        ("Ada Brook died in the 1950's.", LIFE, [("date", False)]),
        ("Night Ferry premiered in 2001.", FILM, [("date", False)]),
        ("Night Ferry came out in March 2005.", FILM, [("date", True)]),
        ("Night Ferry came out in May 2005.", "It opened in 2005.", []),
        ("He was mayor in 1867.", "He was mayor (1864–69).", [("date", True)]),
    ],
)
def test_dates(claim: str, evidence: str, expected: list[tuple[str, bool]]) -> None:
    assert answers(claim, evidence) == expected


GROSS = "It took $5.7 million at home and $27.4 million abroad, a worldwide total of $33.2 million."
CASES = "As of 26 March, 131 cases were registered, of which 23 were mild."


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("It has fewer than 106 reviews.", "It is based on 108 reviews.", [("bound", False)]),
        ("It has more than 106 reviews.", "It is based on 108 reviews.", [("bound", True)]),
        ("It has more than 108 reviews.", "It is based on 108 reviews.", [("bound", False)]),
        ("It has at least 108 reviews.", "It is based on 108 reviews.", [("bound", True)]),
        ("It has no more than 5 rooms.", "It has 5 rooms.", [("bound", True)]),
        ("It has no fewer than 6 rooms.", "It has 5 rooms.", [("bound", False)]),
        ("It cost in excess of $90 million.", "It cost $100 million.", [("bound", True)]),
        ("Its speed exceeds 90 km.", "Its speed is 80 km.", [("bound", False)]),
        ("Less than 10,010 people came.", "10,015 people came.", [("bound", False)]),
        ("It took more than $1.3 billion.", "It took over $1.2 billion.", []),
        ("It took more than $1.1 billion.", "It took over $1.2 billion.", [("bound", True)]),
        ("It took under $31 million worldwide.", GROSS, []),
        ("It took over $20 million abroad.", GROSS, [("bound", True)]),
        ("It cost over $7 million.", GROSS, []),
        ("More than 8 critics saw it.", "It has 9 reviews.", [("bound", True)]),
        ("Under 2000 cases were registered.", CASES, [("bound", True)]),
        ("Cases were registered before March 27, 2020.", CASES, [("bound", True)]),
        ("Cases were registered after 28 March.", CASES, [("bound", False)]),
        ("Night Ferry came out later than 2006.", FILM, [("bound", False)]),
        ("Night Ferry came out earlier than 2006.", FILM, [("bound", True)]),
        (
            "It opened after 2015.",
            "Opened on 2 May 2014, the first since 2008.",
            [("bound", False)],
        ),
    ],
)
def test_bounds(claim: str, evidence: str, expected: list[tuple[str, bool]]) -> None:
    assert answers(claim, evidence) == expected


def test_a_birth_is_not_compared_with_a_death() -> None:
    claim = "Ada Brook died in 1890."
    assert answers(claim, "Ada Brook, born on 12 May 1890, is a chemist.") == []


def test_a_date_of_something_else_is_left_open() -> None:
    assert answers("Ada Brook moved to Leeds in 1975.", "The bridge fell in 1890.") == []


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("She has three children.", "She has 3 children.", [("number", True)]),
        ("She has one child.", "She has two children.", []),
        ("She has three children.", "She has two brothers.", []),
        ("It has at least twelve rooms.", "It has 40 rooms.", [("bound", True)]),
        ("It has more than 40 rooms.", "It has 40 rooms.", [("bound", False)]),
        ("It has fewer than 50 rooms.", "It has forty rooms.", [("bound", True)]),
        ("It has a dozen rooms.", "It has twelve rooms.", [("number", True)]),
        ("It sold two million copies.", "It sold 2,000,000 copies.", [("number", True)]),
        ("It sold two billion copies.", "It sold two million copies.", []),
        ("The road is 10 miles long.", "The road is 16.1 km long.", [("measure", True)]),
        ("The road is 10 miles long.", "The road is 10 km long.", [("measure", False)]),
        ("The tower is 100 feet high.", "The tower is 30.5 metres high.", [("measure", True)]),
        ("It is 430 km long.", "It is 430,000 m long.", [("measure", True)]),
        ("It lasts two weeks.", "It lasts 14 days.", [("measure", True)]),
        ("It lasts two weeks.", "It lasts ten days.", [("measure", False)]),
        ("Half of the votes were valid.", "50 % of the votes were valid.", [("measure", True)]),
        ("It drives at 30 km/h.", "It drives 50 km.", []),
        ("It opens at 9:30.", "It opens at 9.30 a.m.", [("measure", True)]),
        ("It weighs 10 kg.", "It weighs 22 pounds.", [("measure", True)]),
        ("It got 40 percent.", "It got 41.5 %.", [("measure", False)]),
        ("It cost $5 million.", "It cost $7 million.", [("measure", False)]),
        ("It is the third season.", "It is the 3rd season.", []),
        ("It is the third season.", "It is the fourth season.", [("ordinal", False)]),
        ("It was his eighth album.", "His eighth and ninth albums sold.", []),
    ],
)
def test_quantities(claim: str, evidence: str, expected: list[tuple[str, bool]]) -> None:
    assert answers(claim, evidence) == expected


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("He is not a tennis player.", "He is a tennis player.", [("negation", False)]),
        ("He is a tennis player.", "He is not a tennis player.", [("negation", False)]),
        ("He is not a tennis player.", "He isn't a tennis player.", []),
        ("He never acted.", "The bridge fell.", []),
        ("He is not only a singer.", "He is a singer.", []),
        ("No Escape is a film.", "No Escape is a film.", []),
        ("He is only a singer.", "He is a singer and a dancer.", []),
        ("He was not born in 1975.", "He was born in 1980.", []),
    ],
)
def test_negation(claim: str, evidence: str, expected: list[tuple[str, bool]]) -> None:
    assert answers(claim, evidence) == expected


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("The price of bread rose.", "The price of bread fell.", [("direction", False)]),
        ("Ann sold the house to Bob.", "Ann bought the house from Bob.", [("direction", False)]),
        ("Ann sold the house to Bob.", "Bob bought the house from Ann.", []),
        ("The price of bread rose.", "The price of bread fell before it rose.", []),
        ("The price of bread rose.", "The price of bread did not fall.", []),
    ],
)
def test_directions(claim: str, evidence: str, expected: list[tuple[str, bool]]) -> None:
    assert answers(claim, evidence) == expected


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Cora was 99 when she died.", "Cora died ten days short of her 100th birthday."),
        ("The fund had 14,500 members.", "The fund, with 3,100 members, joined one of 11,400."),
        ("The harp has 33 strings.", "The harp has 22 strings, the great one half as many again."),
        ("Parking for five hours costs 9 euros.", "Parking costs 3 euros an hour."),
        ("Edmund died in 1753.", "His wife outlived him by 30 years and died in 1783."),
    ],
)
def test_what_may_follow_by_arithmetic_is_no_conflict(claim: str, evidence: str) -> None:
    assert checks(claim, evidence) == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("1984 is a novel.", "1984 (novel): 1984 is a book of 1949."),
        ("The Reader (2008 film) is good.", "The Reader was released in 2009."),
        ("Fast Five is a film.", "Fast Five is a film with three cars."),
        ("One Direction sang.", "One Direction has five members."),
        ("Ada Brook is a chemist.", LIFE),
    ],
)
def test_numbers_in_names_are_not_checked(claim: str, evidence: str) -> None:
    assert checks(claim, evidence) == []


def test_reasons_are_for_people_and_spans_mark_the_words() -> None:
    claim = "Ada was born in 1975."
    (check,) = checks(claim, LIFE)
    assert check.reason == "The claim says 1975; the evidence says 12 May 1890."
    assert claim[slice(*check.claim_span)] == "1975"
    assert LIFE[slice(*check.evidence_span)] == "12 May 1890"
    assert "denies (not)" in checks("He is not a singer.", "He is a singer.")[0].reason


def test_features_tell_agreement_from_conflict() -> None:
    def named(claim: str) -> dict[str, float]:
        return dict(zip(FEATURES, features(claim, LIFE), strict=True))

    assert named("Ada was born in 1890.")["date_agrees"] == 1.0
    wrong = named("Ada was born after 1975.")
    assert wrong["date_conflicts"] == wrong["conflict"] == wrong["compared_conflicts"] == 1.0
    assert set(named("Ada was a chemist.").values()) == {0.0}
    assert named("Ada was not a British chemist.")["negation_conflicts"] == 1.0


@given(st.text(), st.text())
def test_any_text_gives_finite_features(claim: str, evidence: str) -> None:
    values = features(claim, evidence)
    assert len(values) == len(FEATURES)
    assert all(isfinite(value) and 0 <= value <= 1 for value in values)


@given(
    st.lists(
        st.sampled_from(
            ["1990", "9" * 5000, "May", "of", "-", "$", "th", "s", "not", "born", "(", "dozen", ",",
             "between", "and", "more", "than", "²", "٣", "first", "century", ".", "No", "million"]
        )
    ).map(" ".join)
)  # fmt: skip
def test_any_run_of_number_words_is_read(text: str) -> None:
    assert all(isfinite(value) for value in features(text, text))


@pytest.mark.parametrize(
    ("said", "given", "agrees"),
    [
        ("about 50", "46", True),
        ("about 50", "44", None),
        ("1,200", "1,213", True),
        ("1,200", "1,216", None),
    ],
)
def test_how_far_a_rounded_number_may_be_off(said: str, given: str, agrees: bool | None) -> None:
    claim, evidence = (f"The choir has {number} members." for number in (said, given))
    assert answers(claim, evidence) == ([("number", agrees)] if agrees else [])


def test_a_date_belongs_to_the_event_a_few_words_before_it() -> None:
    near = "She was born in a very small old house in 1890."
    far = "She was born in a very small and very old house by the sea near town in 1890."
    assert [find(text)[0].event for text in (near, far)] == ["born", ""]
