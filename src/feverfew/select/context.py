"""A page as a list of statements, each with what a reader must know to understand it alone."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from feverfew.text import display_title, words
from feverfew.types import Context, ItemList, Kind, Link, ListItem, Page, Ref, Section, Sentence

__all__ = ["PRONOUNS", "Statement", "context_of", "statements"]

PRONOUNS = frozenset(("he", "she", "it", "they", "his", "her", "its", "their", "this", "these"))


class Statement(Struct, frozen=True, gc=False):
    """A sentence or a list item that may settle a claim, and where it stands."""

    ref: Ref
    text: str
    line: int
    """The number of the sentence, or of the last one before the list."""
    links: tuple[Link, ...]
    section: str


def statements(page: Page) -> list[Statement]:
    """List the sentences and list items of a page in reading order."""
    return list(_statements(page))


def _statements(page: Page) -> Iterator[Statement]:
    headings: list[Section] = []
    section, line = "", 0
    for block in page.blocks:
        if isinstance(block, Sentence):
            line = block.index
            ref = Ref(page.title, Kind.SENTENCE, (line,))
            if block.text:
                yield Statement(ref, block.text, line, block.links, section)
        elif isinstance(block, Section):
            headings = [h for h in headings if h.level < block.level] + [block]
            section = " › ".join(h.text for h in headings if h.text)
        elif isinstance(block, ItemList):
            for item, text in _items(block):
                ref = Ref(page.title, Kind.ITEM, (block.index, item.index))
                yield Statement(ref, text, line, item.links, section)


def _items(listed: ItemList) -> Iterator[tuple[ListItem, str]]:
    """List a list's items; what one stands below is to it what headers are to a cell.

    >>> sides = (ListItem(0, "Side one"), ListItem(1, "So What", level=1))
    >>> [text for _, text in _items(ItemList(0, sides))]
    ['Side one', 'Side one: So What']
    """
    above: list[ListItem] = []
    for item in listed.items:
        above = [other for other in above if other.level < item.level]
        if item.text:
            yield item, ": ".join([*(other.text.rstrip(" :") for other in above), item.text])
            above.append(item)


def context_of(said: Sequence[Statement], at: int) -> Context:
    """Say what one of a page's statements needs to be understood alone."""
    statement = said[at]
    title = display_title(statement.ref.page)
    name = ""
    if _starts_with_pronoun(statement.text):
        before = (s.text for s in reversed(said[:at]) if s.section == statement.section)
        # "He … He …": all of them mean the one named last.
        named = next((text for text in before if not _starts_with_pronoun(text)), "")
        name = _leading_name(named)
        if set(words(name)) & set(words(title)):
            name = ""
    return Context(title, statement.section, name)


def _starts_with_pronoun(text: str) -> bool:
    return text.split(maxsplit=1)[0].lower().strip("“‘\"'") in PRONOUNS if text.strip() else False


_ARTICLES = {"The", "A", "An"}
_JOINERS = {"of", "the", "de", "del", "von", "van", "for", "and"}


def _leading_name(text: str) -> str:
    """Return the name with which a sentence begins, or nothing.

    It must have two capitalised words: one alone may only begin the sentence.

    >>> _leading_name("The Bank of England in London was founded later.")
    'Bank of England'
    """
    name: list[str] = []
    end = 0
    for word in text.split():
        bare = word.rstrip(",.;:")
        if not name and bare in _ARTICLES:
            continue
        if bare[:1].isupper():
            name.append(bare.removesuffix("'s").removesuffix("’s"))
            end = len(name)
        elif bare in _JOINERS and name:
            name.append(bare)
        else:
            break
        if bare != word or name[-1] != bare:
            break
    capitals = sum(word[:1].isupper() for word in name)
    return " ".join(name[:end]) if capitals > 1 else ""
