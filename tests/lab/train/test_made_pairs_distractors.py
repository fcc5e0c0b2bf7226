"""Claims among as many sentences as a checker meets."""

from feverfew.lab.train.made_pairs import crowded
from feverfew.lab.train.mine import Found, Mined

NEAR = [Found("Aruba", line, f"Sentence {line} of Aruba.", 1.0) for line in range(8)]
GOLD = ["Aruba", "Sentence 6 of Aruba ."]


def pair(claim: str, label: str, *evidence: list[str]) -> dict[str, object]:
    return {"claim": claim, "evidence": list(evidence), "label": label}


def test_gold_stands_once_among_what_was_found() -> None:
    mined = [Mined(f"Claim {n}.", NEAR) for n in range(30)]
    made = list(crowded([pair(f"Claim {n}.", "S", GOLD) for n in range(30)], mined))
    assert len(made) == 30
    for one in made:
        texts = [text for _, text in one["evidence"]]
        assert 3 <= len(texts) <= 5
        assert texts.count("Sentence 6 of Aruba.") == 1  # spelled as it was found
        assert len(set(texts)) == len(texts)
    places = [one["evidence"].index(("Aruba", "Sentence 6 of Aruba.")) for one in made]
    assert len(set(places)) > 2


def test_the_order_of_the_evidence_says_nothing_of_the_label() -> None:
    """Half of all claims have it as it was found, whatever they are."""
    mined = [Mined(f"Claim {n}.", NEAR) for n in range(200)]
    for label in "SN":
        made = crowded([pair(f"Claim {n}.", label, GOLD) for n in range(200)], mined)
        lines = [[int(text.split()[1]) for _, text in one["evidence"]] for one in made]
        in_order = sum(own == sorted(own) for own in lines)
        assert 80 < in_order < 140


def test_other_gold_sets_are_not_shown_as_if_they_were_none() -> None:
    records = [pair("Claim.", "R", GOLD), pair("Claim.", "R", ["Aruba", "Sentence 0 of Aruba."])]
    (made,) = crowded(records, [Mined("Claim.", NEAR)])
    assert ("Aruba", "Sentence 0 of Aruba.") not in made["evidence"]
    assert made["label"] == "R"


def test_open_claims_have_the_best_that_was_found() -> None:
    (made,) = crowded([pair("Claim.", "N", ["Aruba", NEAR[7].text])], [Mined("Claim.", NEAR)])
    found = [(one.title, one.text) for one in NEAR]
    assert set(made["evidence"]) == set(found[: len(made["evidence"])])


def test_what_has_no_known_page_or_nothing_found_is_left_out() -> None:
    records = [pair("Claim.", "S", ["", "Somewhere."]), pair("Another.", "S", GOLD)]
    assert list(crowded(records, [Mined("Claim.", NEAR)])) == []
