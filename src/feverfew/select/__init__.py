"""From candidate pages to the evidence that may settle a claim."""

from feverfew.select.base import Selector

__all__ = ["Selector"]
