"""What the ranker sees of a claim and a page: some thirty numbers, each with a name."""

import math
from collections.abc import Sequence

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind
from feverfew.retrieve.mentions import Mention, Words
from feverfew.text import display_title, padded, spelled_words, without_parenthesis, words
from feverfew.types import Page, Sentence

__all__ = [
    "FEATURES",
    "HOP_FEATURES",
    "Hop",
    "Lead",
    "Query",
    "hop_features",
    "mention_features",
    "missing_share",
    "page_features",
]

FEATURES = (
    "mentioned",
    "mention_words",
    "mention_weight",
    "mention_capitals",
    "mention_first",
    "mention_full",
    "mention_alias",
    "mention_base",
    "mention_loose",
    "mention_plural",
    "mention_misspelled",
    "mention_rivals",
    "mention_inside",
    "mention_spelled_alike",
    "title_weight",
    "title_missing",
    "parenthesis",
    "parenthesis_weight",
    "lexical",
    "lexical_score",
    "lexical_share",
    "lexical_rank",
    "first_weight",
    "lead_weight",
    "rest_first",
    "rest_lead",
    "pairs",
    "numbers",
    "numbers_missing",
    "disambiguation",
)
HOP_FEATURES = (
    "hop",
    "hop_first_page",
    "hop_first_sentence",
    "hop_sentence_weight",
    "hop_left_open",
    "hop_rivals",
    "hop_full",
    "hop_source_score",
    "first_round_score",
    "first_round_rank",
)


class Query(Struct, frozen=True):
    """A claim, ready to be compared with pages."""

    words: Words
    weights: dict[str, float]
    """Each word's rarity, as a share of the claim's total."""
    sought: list[tuple[bytes, float]]
    """The same, with the words padded, to be looked for in padded text."""
    pairs: list[tuple[bytes, bytes, bytes]]
    """Neighbours, padded: the one, the other, and both together."""
    numbers: list[bytes]

    @classmethod
    def of(cls, claim: str, corpus: Corpus) -> "Query":
        """Prepare a claim."""
        split = Words.of(claim)
        pages = len(corpus.text) + 1
        # A word that every page has weighs nothing.
        rarity = {
            word: math.log((1 + pages / (1 + corpus.text.frequency(word))) / 2)
            for word in dict.fromkeys(split.folded)
        }
        total = sum(rarity.values()) or 1.0
        weights = {word: value / total for word, value in rarity.items()}
        return cls(
            split,
            weights,
            [(padded(word), weight) for word, weight in weights.items()],
            [
                (padded(a), padded(b), padded(f"{a} {b}"))
                for a, b in zip(split.folded, split.folded[1:], strict=False)
            ],
            [padded(word) for word in weights if word[0].isdigit()],
        )

    def weight(self, text: bytes) -> float:
        """Return the share of the claim that a padded text covers."""
        return sum(weight for word, weight in self.sought if word in text)


class Lead(Struct, frozen=True):
    """What a page says first, padded: see `text.padded`."""

    base: str
    """The title without its parenthesis, as spelled."""
    title: bytes
    parenthesis: str
    sentences: tuple[Sentence, ...]
    first: int
    """Where the first sentence ends in the text."""
    text: bytes
    disambiguation: bool

    @classmethod
    def of(cls, page: Page) -> "Lead":
        """Read the first blocks of a page."""
        shown = display_title(page.title)
        base = without_parenthesis(shown) if shown.endswith(")") else shown
        sentences = page.sentences
        text = padded("\n".join([sentence.text for sentence in sentences]))
        return cls(
            base,
            padded(shown),
            shown[len(base) :],
            sentences,
            text.find(b"\n") if len(sentences) > 1 else len(text),
            text,
            page.disambiguation,
        )


def page_features(
    query: Query,
    lead: Lead,
    mentions: Sequence[Mention],
    lexical: tuple[int, float, float] | None,
    covered: Sequence[tuple[int, int]],
) -> list[float]:
    """Describe a page; `lexical` is its rank, its score and the best score of the claim.

    `covered` lists the spans of the claim's mentions, `mentions` this page's own.
    """
    title = first = whole = rest = rest_first = rest_whole = 0.0
    present: set[bytes] = set()
    text = lead.text
    for word, weight in query.sought:
        in_title = word in lead.title
        if in_title:
            title += weight
        else:
            rest += weight
        at = text.find(word)
        if at < 0:
            continue
        present.add(word)
        whole += weight
        rest_whole += 0.0 if in_title else weight
        if at < lead.first:
            first += weight
            rest_first += 0.0 if in_title else weight
    rest = rest or 1.0
    numbers = sum([number in present for number in query.numbers])
    pairs = [pair for a, b, pair in query.pairs if a in present and b in present and pair in text]
    parenthesis = words(lead.parenthesis) if lead.parenthesis else []
    return [
        *mention_features(query, lead, mentions, covered),
        title,
        missing_share(lead.title.decode().split(), query.weights),
        float(bool(parenthesis)),
        1 - missing_share(parenthesis, query.weights),
        float(lexical is not None),
        lexical[1] / 40 if lexical else 0.0,
        lexical[1] / lexical[2] if lexical else 0.0,
        1 / (1 + lexical[0]) if lexical else 0.0,
        first,
        whole,
        rest_first / rest,
        rest_whole / rest,
        len(pairs) / (len(query.pairs) or 1),
        numbers / (len(query.numbers) or 1),
        (len(query.numbers) - numbers) / (len(query.numbers) or 1),
        float(lead.disambiguation),
    ]


def missing_share(names: list[str], weights: dict[str, float]) -> float:
    """Return the share of a name's words that the claim lacks."""
    return sum([word not in weights for word in names]) / len(names) if names else 1.0


_NO_MENTION = [0.0] * 14


def mention_features(
    query: Query, lead: Lead, mentions: Sequence[Mention], covered: Sequence[tuple[int, int]]
) -> list[float]:
    """Describe how a claim names a page: the first fourteen features."""
    if not mentions:
        return _NO_MENTION
    mention = mentions[0]
    start, end = mention.start, mention.start + mention.length
    span = query.words.spelled[start:end]
    inside = any(a <= start and end <= b and b - a > mention.length for a, b in covered)
    kind = mention.kind
    return [
        1.0,
        min(mention.length, 6) / 6,
        sum(query.weights[word] for word in dict.fromkeys(query.words.folded[start:end])),
        sum(word[0].isupper() or word[0].isdigit() for word in span) / len(span),
        float(start == 0),
        float(kind == NameKind.FULL),
        float(kind == NameKind.ALIAS),
        float(kind == NameKind.WITHOUT_PARENTHESIS),
        float(kind > NameKind.WITHOUT_PARENTHESIS),
        float(mention.plural),
        float(mention.misspelled),
        math.log1p(mention.rivals) / 4,
        float(inside),
        float(span == spelled_words(lead.base)),
    ]


class Hop(Struct, frozen=True):
    """How the first round led to a page: who names it, and where."""

    rank: int
    """Of the naming page, in the first round."""
    score: float
    """Of the naming page, in the first round."""
    sentence: int
    sentence_weight: float
    left_open: list[tuple[bytes, float]]
    """What of the claim the naming page does not speak of."""
    mention: Mention | None = None
    """None for a real hyperlink."""


def hop_features(lead: Lead, hop: Hop | None, first_round: tuple[int, float] | None) -> list[float]:
    """Describe how the first round led to a page; `first_round` is its own rank and score."""
    scores = [first_round[1] / 10, 1 / (1 + first_round[0])] if first_round else [-1.0, 0.0]
    if hop is None:
        return [0.0] * 8 + scores
    total = sum(weight for _, weight in hop.left_open)
    answered = sum(weight for word, weight in hop.left_open if word in lead.text)
    return [
        1.0,
        float(hop.rank == 0),
        float(hop.sentence == 0),
        hop.sentence_weight,
        answered / total if total else 0.0,
        math.log1p(hop.mention.rivals) / 4 if hop.mention else 0.0,
        float(hop.mention is None or hop.mention.kind <= NameKind.ALIAS),
        hop.score / 10,
        *scores,
    ]
