"""Claims hold what their label says, and their words do not tell it."""

from collections import Counter

from factory.world import pages, subjects
from feverfew.factory.balance import draw_balanced
from feverfew.factory.claims import N, R, S
from feverfew.factory.facts import RELATIONS
from feverfew.rules.mutations import MUTATIONS
from feverfew.rules.requirements import check_claim

PAGES = pages()
DRAWN = list(draw_balanced(subjects(), 300, seed=1))


def test_every_form_goes_with_every_label_equally_often() -> None:
    assert len(DRAWN) >= 240
    counts = Counter((claim.form, claim.label) for claim in DRAWN)
    uneven = [
        f for f in {c.form for c in DRAWN} if len({counts[f, label] for label in (S, R, N)}) > 1
    ]
    assert len(uneven) < len(DRAWN) / 20


def test_plain_claims_are_true_exactly_where_they_are_supported() -> None:
    drawn = draw_balanced(subjects(), 120, seed=1)
    plain = [claim for claim in drawn if claim.form in ("directed says 0", "directed specific 0")]
    assert {claim.label for claim in plain} == {S, R, N}
    for claim in plain:
        person = claim.text.partition(" was directed by ")[2].rstrip(".")
        text = " ".join(PAGES[claim.page])
        assert (f"directed by {person} " in text) == (claim.label is S)
        assert ("directed by" in text) == (claim.label is not N)


def test_a_negation_of_the_truth_is_refuted_and_one_of_an_error_supported() -> None:
    for claim in DRAWN:
        if claim.form == "born_in denies 0" and claim.label is not N:
            town = claim.text.partition(" not born in ")[2].rstrip(".")
            assert (f"in {town}," in PAGES[claim.page][0]) == (claim.label is R)


def test_evidence_stands_on_the_page_and_open_claims_have_none() -> None:
    for claim in DRAWN:
        assert bool(claim.evidence) == (claim.label is not N)
        for ref in (ref for one in claim.evidence for ref in one):
            assert ref.position[0] < len(PAGES[ref.page])


def test_parents_operations_and_changed_words_are_recorded() -> None:
    known = {mutation.name for mutation in MUTATIONS["fever"]} | {"original"}
    assert {claim.operation for claim in DRAWN} <= known
    for claim in DRAWN:
        assert bool(claim.parent) == (claim.operation != "original")
        assert claim.parent != claim.text
        assert all(0 <= start < end <= len(claim.text) for start, end in claim.changed)


def test_claims_meet_the_requirements_and_are_said_once() -> None:
    assert len({claim.text for claim in DRAWN}) == len(DRAWN)
    for claim in DRAWN:
        assert check_claim(claim.text, "fever", entity=claim.page) == []


def test_the_seed_decides() -> None:
    again = list(draw_balanced(subjects(), 300, seed=1))
    assert again == DRAWN
    assert list(draw_balanced(subjects(), 300, seed=2)) != DRAWN


def test_a_page_gives_no_more_claims_than_allowed_and_may_be_asked_elsewhere() -> None:
    few = list(draw_balanced(subjects(), 300, 1, per_page=1))
    assert max(Counter(claim.page for claim in few).values()) == 1
    known = list(draw_balanced(subjects(), 60, 1, silent=lambda subject, relation: False))
    assert all(claim.label is not N for claim in known)
    assert set(RELATIONS) >= {claim.form.split()[0] for claim in few}
