"""From candidate pages to the evidence that may settle a claim."""

from feverfew.select.base import Selector
from feverfew.select.sentences import PAGES, Sentences

__all__ = ["PAGES", "Selector", "Sentences"]
