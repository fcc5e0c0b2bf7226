"""What the ranker sees of a claim and a page: some thirty numbers, each with a name."""

import math
from collections.abc import Sequence

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind
from feverfew.model import Page, Sentence
from feverfew.retrieve.mentions import Mention, Words
from feverfew.text import display_title, spelled_words, without_parenthesis, words

__all__ = ["FEATURES", "HOP_FEATURES", "Lead", "Query", "hop_features", "page_features"]

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
    "length",
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
    pairs: frozenset[tuple[str, str]]
    numbers: frozenset[str]

    @classmethod
    def of(cls, claim: str, corpus: Corpus) -> "Query":
        """Prepare a claim."""
        split = Words.of(claim)
        pages = len(corpus.text) + 1
        rarity = {
            word: math.log(1 + pages / (1 + corpus.text.frequency(word))) for word in split.folded
        }
        # A word that nearly every page has should weigh next to nothing.
        rarity = {word: value - 0.69 for word, value in rarity.items()}
        total = sum(rarity.values()) or 1.0
        return cls(
            split,
            {word: value / total for word, value in rarity.items()},
            frozenset(zip(split.folded, split.folded[1:], strict=False)),
            frozenset(word for word in split.folded if word[0].isdigit()),
        )

    def weight(self, page_words: set[str]) -> float:
        """Return the share of the claim that these words cover."""
        return sum(self.weights[word] for word in self.weights.keys() & page_words)


class Lead(Struct, frozen=True):
    """What a page says first, as sets of words."""

    title: str
    title_words: frozenset[str]
    parenthesis: frozenset[str]
    sentences: tuple[Sentence, ...]
    first: set[str]
    text: list[str]
    """All words of the lead, in order."""
    disambiguation: bool

    @classmethod
    def of(cls, page: Page) -> "Lead":
        """Read the first blocks of a page."""
        shown = display_title(page.title)
        base = without_parenthesis(shown)
        sentences = page.sentences
        title = frozenset(words(shown))
        return cls(
            base,
            title,
            title - frozenset(words(base)) if len(base) < len(shown) else frozenset(),
            sentences,
            set(words(sentences[0].text)) if sentences else set(),
            words("\n".join(s.text for s in sentences)),
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

    `covered` lists the spans of the claim's longest mentions, `mentions` this page's own.
    """
    text = set(lead.text)
    own_words = lead.title_words
    title = query.weight(own_words)  # type: ignore[arg-type]
    present = len(own_words & query.weights.keys())
    rest = {word: w for word, w in query.weights.items() if word not in own_words}
    rest_total = sum(rest.values()) or 1.0
    shared_pairs = query.pairs & set(zip(lead.text, lead.text[1:], strict=False))
    return [
        *_mention_features(query, lead, mentions, covered),
        title,
        (len(own_words) - present) / (len(own_words) or 1),
        float(bool(lead.parenthesis)),
        len(lead.parenthesis & query.weights.keys()) / (len(lead.parenthesis) or 1),
        float(lexical is not None),
        lexical[1] / 40 if lexical else 0.0,
        lexical[1] / lexical[2] if lexical else 0.0,
        1 / (1 + lexical[0]) if lexical else 0.0,
        query.weight(lead.first),
        query.weight(text),
        sum(w for word, w in rest.items() if word in lead.first) / rest_total,
        sum(w for word, w in rest.items() if word in text) / rest_total,
        len(shared_pairs) / (len(query.pairs) or 1),
        len(query.numbers & text) / (len(query.numbers) or 1),
        len(query.numbers - text) / (len(query.numbers) or 1),
        math.log1p(len(lead.text)) / 6,
        float(lead.disambiguation),
    ]


_NO_MENTION = [0.0] * 14


def _mention_features(
    query: Query, lead: Lead, mentions: Sequence[Mention], covered: Sequence[tuple[int, int]]
) -> list[float]:
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
        sum(query.weights[word] for word in set(query.words.folded[start:end])),
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
        float(span == spelled_words(lead.title)),
    ]


def hop_features(
    query: Query,
    lead: Lead,
    hop: tuple[int, int, set[str], Mention | None, float, set[str]] | None,
    first_round: tuple[int, float] | None,
) -> list[float]:
    """Describe how the first round led to a page.

    `hop` holds the rank of the page that names it, the sentence, that sentence's words, the
    mention (None for a real hyperlink), the naming page's score, and that page's words.
    """
    scores = [first_round[1] / 10, 1 / (1 + first_round[0])] if first_round else [-1.0, 0.0]
    if hop is None:
        return [0.0] * 8 + scores
    rank, sentence, sentence_words, mention, score, page_words = hop
    left_open = {w: v for w, v in query.weights.items() if w not in page_words}
    total = sum(left_open.values())
    text = set(lead.text)
    return [
        1.0,
        float(rank == 0),
        float(sentence == 0),
        query.weight(sentence_words),
        sum(v for w, v in left_open.items() if w in text) / total if total else 0.0,
        math.log1p(mention.rivals) / 4 if mention else 0.0,
        float(mention is None or mention.kind <= NameKind.ALIAS),
        score / 10,
        *scores,
    ]
