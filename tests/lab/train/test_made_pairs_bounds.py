"""Training pairs about bounds."""

from collections import Counter

from feverfew.lab.train.made_pairs import bounded_pairs

SUPPORTED = {
    "claim": "Night Ferry was released in 2005.",
    "evidence": [["Night_Ferry", "Night Ferry opened on 4 March 2005."]],
    "label": "S",
}
SENTENCE = {
    "claim": "Night Ferry is long.",
    "evidence": [["Night_Ferry", "It was seen by 2,400 people in Leeds."]],
    "relevant": False,
}
SILENT = {
    "claim": "Night Ferry is a film.",
    "evidence": [["Night_Ferry", "Night Ferry is a film about a ferry."]],
    "label": "S",
}


def test_a_supported_claim_gives_one_of_each() -> None:
    made = list(bounded_pairs([SUPPORTED]))
    assert [pair["label"] for pair in made] == ["S", "R"]
    assert all(
        pair["evidence"] == [("Night_Ferry", "Night Ferry opened on 4 March 2005.")]
        for pair in made
    )
    assert SUPPORTED["claim"] not in {pair["claim"] for pair in made}


def test_a_sentence_becomes_a_claim_about_itself() -> None:
    made = list(bounded_pairs([SENTENCE]))
    assert {pair["label"] for pair in made} == {"S", "R"}
    assert all("people in Leeds." in pair["claim"] for pair in made)


def test_a_number_that_the_evidence_lacks_says_nothing() -> None:
    unknown = SUPPORTED | {"evidence": [["Night_Ferry", "Night Ferry opened in spring."]]}
    refuted = SUPPORTED | {"label": "R"}
    assert not list(bounded_pairs([unknown, refuted]))


def test_some_are_left_open_beside_a_silent_sentence() -> None:
    counts = Counter(pair["label"] for pair in bounded_pairs([SILENT, *[SUPPORTED] * 200]))
    assert 30 <= counts["N"] <= 90
    assert abs(counts["S"] - counts["R"]) < 60
