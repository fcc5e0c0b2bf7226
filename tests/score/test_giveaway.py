import random

import pytest

from feverfew.errors import ScoreError
from feverfew.score.giveaway import claim_only, evidence_type_only, folds_of, ngrams
from feverfew.types import Claim, Ref, Verdict

S, R = Verdict.SUPPORTED, Verdict.REFUTED
WORDS = ["river", "city", "film", "studio", "singer", "bridge", "year", "king", "book", "play"]


def claims(count: int, *, telling: bool, seed: int = 0) -> list[Claim]:
    """Make claims of chance words; where telling, a refuted claim says 'never'."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        words = draw.choices(WORDS, k=6)
        label = draw.choice((S, R))
        if telling and label is R:
            words.insert(draw.randrange(6), "never")
        made.append(Claim(id=number, text=" ".join(words) + ".", label=label))
    return made


def test_a_telling_word_gives_everything_away() -> None:
    found = claim_only(claims(200, telling=True))
    assert found.accuracy > 0.97
    assert found.balanced > 0.97
    assert found.gain > 0.3
    assert next(t.ngram for t in found.telling if t.label == "REFUTED") == "never"
    assert found.low <= found.accuracy <= found.high


def test_chance_words_give_nothing_away() -> None:
    found = claim_only(claims(400, telling=False))
    assert found.accuracy == pytest.approx(0.5, abs=0.08)
    assert found.low < found.majority


def test_every_claim_is_judged_once() -> None:
    made = claims(90, telling=True)
    found = claim_only(made, folds=4)
    assert sum(map(sum, found.confusion)) == found.claims == 90
    assert [sum(row) for row in found.confusion] == [
        sum(c.label is R for c in made),
        sum(c.label is S for c in made),
    ]
    assert len(found.by_fold) == found.folds == 4
    right = sum(found.confusion[i][i] for i in range(2))
    assert found.accuracy == pytest.approx(right / 90)


def test_a_copy_in_the_same_group_is_no_help() -> None:
    """Copies with rare words would give each other away if a fold could part them."""
    made = []
    for number in range(60):
        label = (S, R)[number % 2]
        text = f"name{number} went to place{number} by way of road{number}"
        made += [
            Claim(id=f"{number}{x}", text=text, label=label, group=str(number)) for x in "abcd"
        ]
    apart = claim_only(made)
    together = claim_only([Claim(id=c.id, text=c.text, label=c.label) for c in made])
    assert together.accuracy > 0.75
    assert apart.accuracy < 0.6


def test_folds_keep_groups_whole_and_labels_even() -> None:
    groups = [f"g{n // 3}" for n in range(90)]
    labels = ["ab"[n // 3 % 2] for n in range(90)]
    dealt = folds_of(groups, labels, 5, seed=1)
    assert all(len({dealt[i] for i in range(90) if groups[i] == g}) == 1 for g in set(groups))
    for fold in range(5):
        assert [labels[i] for i in range(90) if dealt[i] == fold].count("a") == 9
    assert dealt == folds_of(groups, labels, 5, seed=1)
    assert dealt != folds_of(groups, labels, 5, seed=2)


def test_evidence_type() -> None:
    sentence, cell = Ref.sentence("P", 0), Ref.parse("P_cell_0_1_1")
    sets = {"plain": (sentence,), "count": (cell,), "joint": (sentence, cell)}
    made = [
        Claim(id=f"{word}{n}", text=f"{word} {WORDS[n % 7]} {WORDS[n % 3]}", evidence=(refs,))
        for word, refs in sets.items()
        for n in range(20)
    ]
    found = evidence_type_only([*made, Claim(id=0, text="no evidence")])
    assert found.labels == ("cells", "sentences", "sentences and cells")
    assert (found.claims, found.accuracy) == (60, 1)


def test_ngrams() -> None:
    assert ngrams("Didn't go.") == {"didn't", "go", "^ didn't", "didn't go", "go $"}
    assert ngrams("…") == {"^ $"}


def test_what_cannot_be_measured_says_why() -> None:
    one = [Claim(id=n, text="x", label=S) for n in range(9)]
    with pytest.raises(ScoreError, match="two kinds"):
        claim_only(one)
    with pytest.raises(ScoreError, match="two kinds"):
        evidence_type_only(one)
    with pytest.raises(ScoreError, match="two folds"):
        claim_only(claims(20, telling=True), folds=1)
    with pytest.raises(ScoreError, match="too few for 5 folds"):
        claim_only([Claim(id=n, text="x", label=(S, R)[n % 2]) for n in range(4)])


def test_where_no_word_comes_twice_nothing_is_given_away() -> None:
    made = [Claim(id=n, text=f"word{n}x", label=(S, R, R)[n % 3]) for n in range(9)]
    found = claim_only(made, folds=3)
    assert (found.accuracy, found.majority) == pytest.approx((6 / 9, 6 / 9))
    assert found.telling == ()
