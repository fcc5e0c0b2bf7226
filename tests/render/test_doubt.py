"""What a report says of its own certainty."""

import pytest

from feverfew.render.doubt import changes, sureness
from feverfew.types import Context, Evidence, Excerpt, Finding, OpenReason, Ref, Report, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO


def finding(title: str, says: Verdict, decisive: bool = False) -> Finding:
    piece = Evidence(ref=Ref.sentence(title, 0), text="…", context=Context(title), score=1.0)
    return Finding.of(piece, says=says, probabilities={says: 1.0}, decisive=decisive)


def report(verdict: Verdict, sure: float = 0.9, **more: object) -> Report:
    return Report(claim="It is so.", verdict=verdict, probabilities={verdict: sure}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "word", "count"),
    [
        (0.999, "Very sure", "more than 99"),
        (0.95, "Very sure", "about 95"),
        (0.8, "Fairly sure", "about 80"),
        (0.61, "Not very sure", "about 61"),
        (0.4, "Unsure", "about 40"),
    ],
)
def test_certainty_in_words_and_as_a_count(value: float, word: str, count: str) -> None:
    said = sureness(report(S, value))
    assert said.startswith(word)
    assert f"{count} are judged correctly" in said


def test_what_is_no_claim_has_no_certainty() -> None:
    asked = report(N, 1.0, open_reason=OpenReason.NOT_A_CLAIM)
    assert sureness(asked) == ""
    assert "statement" in changes(asked)[0]


def test_a_decisive_piece_is_named() -> None:
    one = report(R, evidence=(finding("Lang", R, decisive=True), finding("Film", R)))
    assert changes(one) == ["Without “Lang”, it would not be refuted."]


def test_alternatives_and_the_other_side_are_told() -> None:
    refs = ((Ref.sentence("Lang", 0),), (Ref.sentence("Film", 0),))
    both = (finding("Lang", S), finding("Film", S))
    one = report(S, evidence=both, sets=refs, against=(finding("Gossip", R),))
    assert changes(one)[0].startswith("No single piece")
    assert "trust “Gossip” more" in changes(one)[1]


def test_a_table_decides_by_its_cells() -> None:
    one = report(S, evidence=(finding("Lang", S),), tables=(Excerpt(page="Lang", index=0),))
    assert changes(one) == ["Other values in the cells that are marked."]


@pytest.mark.parametrize(
    ("open_reason", "word"),
    [
        (OpenReason.CONFLICT, "whom to trust: “Lang”, or “Gossip”"),
        (OpenReason.PARTLY, "about “a parrot”"),
        (OpenReason.NO_PAGE, "feverfew add"),
        (OpenReason.SILENT, "“a parrot”"),
    ],
)
def test_an_open_claim_says_what_is_missing(open_reason: OpenReason, word: str) -> None:
    sides = {"evidence": (finding("Lang", S),), "against": (finding("Gossip", R),)}
    one = report(N, open_reason=open_reason, missing="a parrot", **sides)  # type: ignore[arg-type]
    assert word in changes(one)[0]


def test_a_rival_verdict_is_named_where_it_is_likely() -> None:
    close = Report(claim="", verdict=S, probabilities={S: 0.6, R: 0.3, N: 0.1})
    assert changes(close)[-1] == "The next likeliest verdict is REFUTED (30 %)."
    clear = Report(claim="", verdict=S, probabilities={S: 0.9, R: 0.05, N: 0.05})
    assert not any("likeliest" in said for said in changes(clear))


def test_a_whole_follows_from_its_parts() -> None:
    wrong = report(R, parts=(report(S), report(R)))
    assert "Only one part is refuted" in changes(wrong)[0]
    right = report(S, parts=(report(S), report(S)))
    assert "every part" in changes(right)[0]
    unsettled = report(N, open_reason=OpenReason.PARTLY, parts=(report(S), report(N), report(N)))
    assert "2 of 3 parts are not enough info" in changes(unsettled)[0]
