"""HoVer's own requirements: claims from questions, longer chains, and what must not change.

Claim creation is in appendix B.1.1 of the paper, hop extension in B.1.3.
"""

from collections.abc import Iterator, Sequence

from feverfew.english.words import word_set
from feverfew.rules.requirements import Hit, check_claim, content_words
from feverfew.text import display_title, sentences, without_parenthesis, words

_QUESTION_WORDS = word_set("what which who whom whose when where why how did do does")


def missing_content(text: str, *given: str) -> list[str]:
    """Return the content words of what was given that a text leaves out."""
    said = content_words(text)
    wanted = set().union(*map(content_words, given)) - _QUESTION_WORDS
    return sorted(wanted - said)


def check_creation(text: str, question: str, answer: str) -> list[Hit]:
    """Check a claim that should hold all of a question and its answer, and nothing more."""
    hits = check_claim(text, "hover")
    if missing := missing_content(text, question, answer):
        hits.append(Hit("content-missing", f"the claim leaves out: {', '.join(missing)}"))
    known = content_words(f"{question} {answer}")
    if added := sorted(content_words(text) - known):
        hits.append(Hit("content-added", f"neither question nor answer has: {', '.join(added)}"))
    return hits


def contains_title(text: str, title: str) -> bool:
    """Say whether a text names a page: its title, or the title without its parenthesis."""
    said = f" {' '.join(words(text))} "
    names = {display_title(title), without_parenthesis(display_title(title))}
    return any(f" {' '.join(words(name))} " in said for name in names if words(name))


def check_extension(
    first: str,
    second: str,
    *,
    original: str,
    entity: str,
    title: str,
    says_title: bool | None = None,
) -> list[Hit]:
    """Check a claim in which an entity was replaced by what another page says of it.

    It is written as two sentences or more, in two fields; `says_title` is the writer's answer to
    “does the claim contain the paragraph's title?”.
    """
    text = f"{first.strip()} {second.strip()}".strip()
    return [
        *_two_sentences(first, second),
        *_entity_gone(text, entity),
        *_kept(text, original, entity),
        *_title(text, entity, title, says_title),
    ]


def _two_sentences(first: str, second: str) -> Iterator[Hit]:
    if not first.strip() or not second.strip():
        yield Hit("two-sentences", "write at least two sentences, linked by a word such as 'it'")
    elif len(sentences(first)) != 1:
        yield Hit("two-sentences", "the first field takes one sentence")


def _entity_gone(text: str, entity: str) -> Iterator[Hit]:
    if entity and contains_title(text, entity):
        at = max(0, text.lower().find(entity.lower()))
        yield Hit("entity-stays", f"replace {entity}", at, at + len(entity))


def _kept(text: str, original: str, entity: str) -> Iterator[Hit]:
    kept = content_words(original) - content_words(entity)
    if missing := sorted(kept - content_words(text)):
        yield Hit("content-missing", f"keep the rest of the claim: {', '.join(missing)}")


def _title(text: str, entity: str, title: str, says_title: bool | None) -> Iterator[Hit]:
    has = contains_title(text, title)
    # A title that holds the entity would bring it back.
    if not has and not contains_title(title, entity):
        yield Hit("title-missing", f"name {display_title(title)}")
    if says_title is True and not has:
        yield Hit("false-answer", f"the claim does not contain {display_title(title)}")


def protected_names(titles: Sequence[str]) -> list[str]:
    """Return the names that a mutation of a claim must keep: its supporting titles."""
    return [without_parenthesis(display_title(title)) for title in titles]
