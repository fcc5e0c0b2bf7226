"""What a page links to, as it is written there."""

from collections.abc import Iterator

from feverfew.types import ItemList, Page, Sentence, Table

__all__ = ["any_links", "targets_of"]


def targets_of(page: Page) -> Iterator[str]:
    """Yield what a page links to, as it is written there."""
    for block in page.blocks:
        match block:
            case Sentence():
                for link in block.links:
                    yield link.target
            case Table():
                for row in block.rows:
                    for cell in row:
                        for link in cell.links:
                            yield link.target
            case ItemList():
                for item in block.items:
                    for link in item.links:
                        yield link.target


def any_links(page: Page) -> bool:
    """Say whether a page has hyperlinks."""
    return next(targets_of(page), None) is not None
