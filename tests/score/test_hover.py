"""The HoVer score: golden cases by hand, every quirk by name, and a literal second scorer."""

import html
import random
import unicodedata
from typing import Any

import pytest

from feverfew.errors import ScoreError
from feverfew.score import hover_score
from feverfew.types import Claim, Prediction, Ref, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.NOT_SUPPORTED


def refs(*names: str) -> tuple[Ref, ...]:
    return tuple(Ref.sentence(name[:-1], int(name[-1])) for name in names)


def claim(label: Verdict, *names: str, at: str = "u1") -> Claim:
    return Claim(id=at, text="x", label=label, evidence=(refs(*names),))


def said(label: Verdict, *names: str, at: str = "u1") -> Prediction:
    return Prediction(id=at, label=label, evidence=refs(*names))


def means(gold: Claim, *predictions: Prediction, **limits: int) -> dict[str, float]:
    return hover_score([gold], predictions, **limits).means()


def test_golden_case_by_hand() -> None:
    gold = [
        claim(YES, "A0", "A1", "B0", at="u1"),
        claim(NO, "C0", "D0", at="u2"),
        claim(YES, "E0", "F0", at="u3"),
        claim(NO, "G0", "H0", at="u4"),
    ]
    predicted = [
        said(YES, "A1", "B0", at="u1"),  # a sentence of each page: a point; P 1, R 2/3, F1 4/5
        said(NO, "C0", "D1", at="u2"),  # the right page, but no gold sentence of it; F1 1/2
        said(NO, "E0", "F0", at="u3"),  # all found, wrong label; F1 1
    ]  # u4 was not predicted: wrong in every column
    sheet = hover_score(gold, predicted)
    assert sheet.metric == "HoVer@10"
    assert sheet.means() == {
        "hover_score": 1 / 4,
        "label_accuracy": 2 / 4,
        "precision": (1 + 1 / 2 + 1) / 4,
        "recall": (2 / 3 + 1 / 2 + 1) / 4,
        "f1": (2 * (2 / 3) / (1 + 2 / 3) + 1 / 2 + 1) / 4,
        "sentence_em": 1 / 4,
        "document_em": 3 / 4,
        "document_f1": 3 / 4,
    }


def test_one_gold_sentence_of_every_gold_page_is_enough() -> None:
    assert means(claim(YES, "A0", "A1", "B3"), said(YES, "A1", "B3"))["hover_score"] == 1
    assert means(claim(YES, "A0", "A1", "B3"), said(YES, "A0", "A1"))["hover_score"] == 0


def test_a_missing_prediction_is_wrong_rather_than_left_out() -> None:
    gold = [claim(YES, "A0", at="u1"), claim(NO, "B0", at="u2")]
    found = hover_score(gold, [said(YES, "A0", at="u1")]).means()
    assert set(found.values()) == {0.5}


def test_refuted_and_open_are_both_the_rest() -> None:
    for label in (Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO, NO):
        assert means(claim(NO, "A0"), said(label, "A0"))["hover_score"] == 1
        assert means(claim(YES, "A0"), said(label, "A0"))["label_accuracy"] == 0


def test_only_the_first_ten_sentences_count() -> None:
    late = said(YES, *(f"X{n}" for n in range(9)), "Y0", "A0")
    assert means(claim(YES, "A0"), late)["hover_score"] == 0
    assert means(claim(YES, "A0"), late, sentences=11)["hover_score"] == 1


def test_documents_and_sentences_are_sets() -> None:
    found = means(claim(YES, "A0", "B0"), said(YES, "A0", "A0", "B0"))
    assert (found["f1"], found["sentence_em"], found["document_em"]) == (1, 1, 1)


def test_nothing_found_has_no_precision() -> None:
    found = means(claim(YES, "A0"), said(YES))
    assert (found["precision"], found["recall"], found["f1"]) == (0, 0, 0)


def test_titles_compare_after_entities_and_accents() -> None:
    gold = Claim(id="u", text="x", label=YES, evidence=((Ref.sentence("Caf\u00e9 &amp; Bar", 0),),))
    predicted = Prediction(id="u", label=YES, evidence=(Ref.sentence("Cafe\u0301 & Bar", 0),))
    assert hover_score([gold], [predicted]).means()["hover_score"] == 1


def test_a_fever_label_among_the_claims_is_refused() -> None:
    with pytest.raises(ScoreError, match="gold label REFUTED, which this score does not know"):
        hover_score([claim(Verdict.REFUTED, "A0")], [])


def test_a_prediction_for_no_claim_is_refused() -> None:
    with pytest.raises(ScoreError, match="'u9', but no such claim"):
        hover_score([claim(YES, "A0")], [said(YES, at="u9")])


# A second scorer, written plainly from the rules over raw records.


def literal(
    gold: list[dict[str, Any]], predictions: dict[str, dict[str, Any]], limit: int
) -> dict[str, float]:
    sums = dict.fromkeys(
        ("hover", "label", "sentence em", "sentence f1", "page em", "page f1"), 0.0
    )
    for record in gold:
        if record["uid"] not in predictions:
            continue
        said = predictions[record["uid"]]
        facts = {f"{spelled(t)}_{n}" for t, n in record["supporting_facts"]}
        found = {f"{spelled(t)}_{n}" for t, n in said["predicted_evidence"][:limit]}
        pages = {spelled(t) for t, _ in record["supporting_facts"]}
        found_pages = {spelled(t) for t, _ in said["predicted_evidence"][:limit]}
        label = said["predicted_label"] == record["label"]
        every = all(
            any(f"{page}_{n}" in found for t, n in record["supporting_facts"] if spelled(t) == page)
            for page in pages
        )
        sums["label"] += label
        sums["hover"] += label and every
        sums["sentence em"] += facts == found
        sums["page em"] += pages == found_pages
        sums["sentence f1"] += f1(facts, found)
        sums["page f1"] += f1(pages, found_pages)
    return {name: value / len(gold) for name, value in sums.items()}


def spelled(title: str) -> str:
    return unicodedata.normalize("NFD", html.unescape(title))


def f1(gold: set[str], found: set[str]) -> float:
    same = len(gold & found)
    if not gold or not found:
        return float(gold == found)
    if not same:
        return 0.0
    precision, recall = same / len(found), same / len(gold)
    return (2 * precision * recall) / (precision + recall)


def test_equals_the_literal_scorer_to_the_last_digit() -> None:
    dice = random.Random(3)
    titles = ["A", "R&amp;B", "R&B", "Z\u00fcrich", "Zu\u0308rich"]

    def facts(least: int, most: int) -> list[list[Any]]:
        return [[dice.choice(titles), dice.randrange(3)] for _ in range(dice.randint(least, most))]

    def as_refs(pairs: list[list[Any]]) -> tuple[Ref, ...]:
        return tuple(Ref.sentence(t, n) for t, n in pairs)

    for _ in range(1_000):
        gold, said, claims, predictions = [], {}, [], []
        for at in range(dice.randint(1, 20)):
            label, predicted = dice.choice([YES, NO]), dice.choice([YES, NO])
            true, found = facts(1, 4), facts(0, 12)
            gold.append({"uid": f"u{at}", "label": str(label), "supporting_facts": true})
            claims.append(Claim(id=f"u{at}", text="x", label=label, evidence=(as_refs(true),)))
            if dice.random() < 0.9:
                said[f"u{at}"] = {"predicted_label": str(predicted), "predicted_evidence": found}
                predictions.append(
                    Prediction(id=f"u{at}", label=predicted, evidence=as_refs(found))
                )
        limit = dice.randint(1, 12)
        ours = hover_score(claims, predictions, sentences=limit).means()
        theirs = literal(gold, said, limit)
        assert ours["hover_score"] == theirs["hover"]
        assert ours["label_accuracy"] == theirs["label"]
        assert ours["f1"] == theirs["sentence f1"]
        assert ours["sentence_em"] == theirs["sentence em"]
        assert ours["document_em"] == theirs["page em"]
        assert ours["document_f1"] == theirs["page f1"]


def test_gold_scored_against_itself_is_one() -> None:
    for label in (YES, NO):
        assert set(means(claim(label, "A0", "B1"), said(label, "A0", "B1")).values()) == {1.0}
