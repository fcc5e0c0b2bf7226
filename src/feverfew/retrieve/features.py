"""Mentions of titles in a claim, and features of a claim and a page.

The keys of the trie (`corpus.names`) and folding handle case, accents, possessives, plurals,
leading articles, parentheses and initials. Misspellings are looked up last, and only for
capitalised names that no page has.
"""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind, keys_of
from feverfew.text import fold, padded, page_name, spelled_words, without_parenthesis, words
from feverfew.types import Page, Sentence

_LONGEST = 12
"""Maximum words of a name."""
_LONGEST_SLIP = 4
"""Maximum words of a misspelled name."""
_MOST_NAMESAKES = 60
"""A name that more pages have than this is too ambiguous: 'List', 'Season 1'."""


class Words(Struct, frozen=True, gc=False):
    """A text's words, as spelled and folded."""

    spelled: list[str]
    folded: list[str]

    @classmethod
    def of(cls, text: str) -> "Words":
        """Split a text."""
        spelled = spelled_words(text)
        return cls(spelled, [fold(word) for word in spelled])


class Mention(Struct, frozen=True, gc=False):
    """A page's name in a text."""

    page: int
    start: int
    length: int
    """Its position, in words."""
    kind: NameKind
    plural: bool
    rivals: int
    """How many pages have the same name."""
    misspelled: bool = False


def find_mentions(corpus: Corpus, words: Words) -> list[Mention]:
    """Find every mention of a title, longest first."""
    found: list[Mention] = []
    pages_named, names_at, folded = corpus.titles.pages_named, corpus.titles.names_at, words.folded
    for start in range(len(folded)):
        for key, length, plural in names_at(folded[start : start + _LONGEST]):
            pages = pages_named(key)
            if len(pages) > _MOST_NAMESAKES:
                pages = [bearer for bearer in pages if bearer[1] <= NameKind.ALIAS]
            for page, kind in pages[:_MOST_NAMESAKES]:
                found.append(Mention(page, start, length, kind, plural, len(pages)))
    found.sort(key=lambda m: (-m.length, m.plural, m.kind, m.start))
    return found


def find_names(corpus: Corpus, words: Words, most_rivals: int = 6) -> Iterator[Mention]:
    """Yield capitalised names from left to right, the longest at each position, without
    overlaps."""
    pages_named, names_at = corpus.titles.pages_named, corpus.titles.names_at
    start = 0
    while start < len(words.folded):
        initial = words.spelled[start][0]
        names = []
        if initial.isupper() or initial.isdigit():
            names = list(names_at(words.folded[start : start + _LONGEST]))
        length = 1
        if names:
            key, length, plural = max(names, key=lambda name: (name[1], not name[2]))
            pages = pages_named(key)
            if len(pages) <= most_rivals:
                for page, kind in pages:
                    if kind <= NameKind.WITHOUT_PARENTHESIS:
                        yield Mention(page, start, length, kind, plural, len(pages))
        start += length


def find_misspelled(corpus: Corpus, words: Words, found: Sequence[Mention]) -> list[Mention]:
    """Find titles that a misspelled capitalised name may refer to.

    Only for names that are not titles: several words of which no two occur in a title together
    ("Gordan Ramsay"), or a single word that is not in the corpus.
    """
    slips: list[Mention] = []
    for start, end in _capitalised_runs(words.spelled):
        run = words.folded[start:end]
        if len(run) == 1:
            known = len(run[0]) < 4 or corpus.text.frequency(run[0])
        else:
            known = any(
                m.length > 1 and m.start < end and start < m.start + m.length for m in found
            )
        if known or len(run) > _LONGEST_SLIP:
            continue
        for slip in range(len(run)):
            if len(run[slip]) < 4:
                continue
            near = corpus.text.similar_titles(run, slip)
            for number, title in corpus.store.titles(near).items():
                fitting = (
                    _fits(key.split(), words.folded, start + slip, number) for key in keys_of(title)
                )
                slips.extend([mention for mention in fitting if mention][:1])
    return slips


def _capitalised_runs(spelled: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of consecutive capitalised words."""
    start = 0
    while start < len(spelled):
        end = start
        while end < len(spelled) and spelled[end][0].isupper():
            end += 1
        if end > start:
            yield start, end
        start = end + 1


def _fits(name: list[str], folded: list[str], at: int, number: int) -> Mention | None:
    """Align a name with the words so that one of its words matches the misspelled one."""
    for offset in range(len(name)):
        start = at - offset
        window = folded[start : start + len(name)] if start >= 0 else []
        if (
            len(window) == len(name)
            and all(
                a == b or i == offset for i, (a, b) in enumerate(zip(name, window, strict=True))
            )
            and _one_slip(name[offset], folded[at])
        ):
            return Mention(number, start, len(name), NameKind.FULL, False, 1, misspelled=True)
    return None


def _one_slip(a: str, b: str) -> bool:
    """Say whether the edit distance (with transpositions) of a and b is at most one."""
    if a == b or abs(len(a) - len(b)) > 1:
        return a == b
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    swapped = a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :]
    return a[i + 1 :] == b[i + 1 :] or a[i:] == b[i + 1 :] or a[i + 1 :] == b[i:] or swapped


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
    """A claim, prepared for comparison with pages."""

    words: Words
    weights: dict[str, float]
    """The weight of each word by its rarity; the weights sum to 1."""
    sought: list[tuple[bytes, float]]
    """The same for padded words, to search in padded text."""
    pairs: list[tuple[bytes, bytes, bytes]]
    """Word pairs, padded: the first, the second, and both together."""
    numbers: list[bytes]

    @classmethod
    def of(cls, claim: str, corpus: Corpus) -> "Query":
        """Prepare a claim."""
        split = Words.of(claim)
        pages = len(corpus.text) + 1
        # A word that every page has gets no weight.
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
    """The lead of a page, padded: see `text.padded`."""

    base: str
    """The title without its parenthesis, as spelled."""
    title: bytes
    parenthesis: str
    sentences: tuple[Sentence, ...]
    first: int
    """The end of the first sentence in the text."""
    text: bytes
    disambiguation: bool

    @classmethod
    def of(cls, page: Page) -> "Lead":
        """Read the first blocks of a page."""
        shown = page_name(page)
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


class NamedOn(Struct, frozen=True):
    """How the first round led to a page: which page names it, and where."""

    rank: int
    """Of the naming page, in the first round."""
    score: float
    """Of the naming page, in the first round."""
    sentence: int
    sentence_weight: float
    left_open: list[tuple[bytes, float]]
    """The part of the claim that the naming page does not cover."""
    mention: Mention | None = None
    """None for a real hyperlink."""


def hop_features(
    lead: Lead, hop: NamedOn | None, first_round: tuple[int, float] | None
) -> list[float]:
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
