"""From candidate pages to the evidence that may decide a claim."""

from feverfew.select.sentences import PAGES, Selector, Sentences

__all__ = ["PAGES", "Selector", "Sentences"]
