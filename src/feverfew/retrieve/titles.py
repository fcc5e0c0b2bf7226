"""Pages whose title or alias is mentioned in the claim."""

from collections.abc import Sequence

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind
from feverfew.retrieve.base import Candidate
from feverfew.retrieve.mentions import Mention, Words, find_mentions, find_misspelled

__all__ = ["Titles", "mention_score"]


def mention_score(mention: Mention, words: Words) -> float:
    """Weigh a mention: long, capitalised and unrivalled names first."""
    span = words.spelled[mention.start : mention.start + mention.length]
    capitals = sum(word[0].isupper() or word[0].isdigit() for word in span) / len(span)
    sure = 1.0 if mention.kind <= NameKind.ALIAS else 0.6
    slip = 0.5 if mention.plural or mention.misspelled else 1.0
    return mention.length * (0.2 + capitals) * sure * slip / (1 + 0.05 * mention.rivals)


class Titles:
    """Retrieves by mentioned titles alone."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the pages mentioned in each claim."""
        return [self._one(claim, k) for claim in claims]

    def _one(self, claim: str, k: int) -> list[Candidate]:
        words = Words.of(claim)
        found = find_mentions(self._corpus, words)
        found += find_misspelled(self._corpus, words, found)
        scores: dict[int, float] = {}
        for mention in found:
            score = mention_score(mention, words)
            scores[mention.page] = max(score, scores.get(mention.page, 0.0))
        best = sorted(scores.items(), key=lambda item: -item[1])[:k]
        titles = self._corpus.store.titles(number for number, _ in best)
        return [Candidate(n, titles[n], score) for n, score in best if n in titles]
