"""What is learned from claims over several pages: which sentences matter, and what they say."""

import random
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.judge import Judge
from feverfew.judge.chain_features import found_row, given_row
from feverfew.judge.chains import few, read_parts, read_sets
from feverfew.judge.reading import Piece, score_each, score_joint
from feverfew.lab.train.hover import is_held_out
from feverfew.lab.train.hoverpairs import gold_pieces
from feverfew.lab.train.network import fit
from feverfew.models.network import Network
from feverfew.retrieve import Candidate
from feverfew.select.feature_context import FeatureContext, Floats
from feverfew.select.multihop import ChainScenes, diversify
from feverfew.select.multihop_features import CHAIN_FEATURES
from feverfew.select.sentences import evidence_of
from feverfew.types import Evidence, Kind

__all__ = ["Choice", "Story", "choices", "found_rows", "given_rows", "rank"]

_BESIDE = 3
_AMONG = 1 / 3
"""The share of claims that are also read among other sentences: reading takes long."""
_FOLDS = 3


class Story(Struct, frozen=True):
    """A labelled claim, whose it is for a fair split, and how many pages it needs."""

    text: str
    supported: bool
    owner: str
    hops: int
    facts: tuple[tuple[str, int], ...] = ()
    """Its gold sentences: page and index."""


class Choice(Struct, frozen=True):
    """What a claim has to choose from: the statements of its pages, and which are gold."""

    story: Story
    scene: FeatureContext
    rows: Floats
    gold: NDArray[np.bool_]
    gold_pages: int
    """On how many pages gold sentences stand, whether these were found or not."""

    def complete(self, evidence: Sequence[Evidence]) -> bool:
        """Say whether evidence has a gold sentence of every gold page."""
        gold = {
            one.ref
            for one, is_gold in zip(self.scene.statements, self.gold, strict=True)
            if is_gold
        }
        return len({one.ref.page for one in evidence if one.ref in gold}) == self.gold_pages


def choices(
    corpus: Corpus, stories: Sequence[Story], pages: Sequence[Sequence[Candidate]]
) -> list[Choice]:
    """Read the candidate pages of claims; those without any statement are left out."""
    scenes = ChainScenes(corpus)
    found = []
    for story, own in zip(stories, pages, strict=True):
        scene, rows = scenes.read(story.text, own)
        gold = {(corpus.number(title), (index,)) for title, index in story.facts}
        numbers = [own[at].number for at in scene.page]
        mask = [
            one.ref.kind is Kind.SENTENCE and (number, one.ref.position) in gold
            for number, one in zip(numbers, scene.statements, strict=True)
        ]
        if scene.statements:
            pages_needed = len({number for number, _ in gold})
            found.append(Choice(story, scene, rows, np.array(mask, bool), pages_needed))
    return found


def rank(found: Sequence[Choice], seed: int = 1) -> tuple[Network, list[list[Evidence]]]:
    """Train the ranking; return it, and each claim's sentences as one that never saw it ranks them.

    Otherwise what is judged would be better chosen while learning than it is later.
    """
    owners = sorted({one.story.owner for one in found})
    order = np.random.default_rng(seed).permutation(len(owners))
    fold = {owner: int(place) % _FOLDS for owner, place in zip(owners, order, strict=True)}
    evidence: dict[int, list[Evidence]] = {}
    for left_out in range(_FOLDS):
        ranker = _network([one for one in found if fold[one.story.owner] != left_out], seed)
        for at, one in enumerate(found):
            if fold[one.story.owner] == left_out:
                scores = diversify(one.scene, ranker.score_array(one.rows))
                evidence[at] = evidence_of(one.scene, scores, len(scores))
    return _network(found, seed), [evidence[at] for at in range(len(found))]


def _network(found: Sequence[Choice], seed: int) -> Network:
    groups = [(one.rows, one.gold) for one in found]
    return fit(groups, [is_held_out(one.story.owner) for one in found], CHAIN_FEATURES, seed)


def found_rows(
    judge: Judge, stories: Sequence[Story], evidence: Sequence[Sequence[Evidence]]
) -> list[list[float]]:
    """Describe claims with what was found for them, at least one piece each."""
    pieces = [[(one.ref.page, one.text) for one in own] for own in evidence]
    alone = score_each(judge.encoder, [story.text for story in stories], pieces)
    joint = read_sets(judge.encoder, alone)
    best = [few(*one) for one in zip(alone, joint, strict=True)]
    parts, answers = read_parts(judge.encoder, best), judge.judge_readings(best)
    return [
        found_row(reading, own, part, answer.probabilities)
        for reading, own, part, answer in zip(alone, joint, parts, answers, strict=True)
    ]


def given_rows(
    judge: Judge, corpus: Corpus, stories: Sequence[Story], rng: random.Random
) -> list[tuple[Story, list[float]]]:
    """Describe claims with their gold sentences, and some also among others of the same pages."""
    asked: list[tuple[Story, list[Piece]]] = []
    for story in stories:
        pieces = gold_pieces(corpus, story.facts) if story.hops > 1 else []
        if not pieces:
            continue
        beside = [
            (title, sentence.text)
            for title in dict.fromkeys(page for page, _ in pieces)
            for sentence in corpus.page(title).sentences
            if sentence.text and (title, sentence.text) not in pieces
        ]
        asked.append((story, pieces))
        if beside and rng.random() < _AMONG:
            among = [*pieces, *rng.sample(beside, min(len(beside), rng.randint(1, _BESIDE)))]
            rng.shuffle(among)
            asked.append((story, among))
    alone = score_each(judge.encoder, [s.text for s, _ in asked], [own for _, own in asked])
    readings = score_joint(judge.encoder, alone)
    parts, answers = read_parts(judge.encoder, readings), judge.judge_readings(readings)
    return [
        (story, given_row(reading, part, answer.probabilities))
        for (story, _), reading, part, answer in zip(asked, readings, parts, answers, strict=True)
    ]
