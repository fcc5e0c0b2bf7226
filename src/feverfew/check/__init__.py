"""The checker: from a claim to a cited verdict."""

from feverfew.check.checker import Checker
from feverfew.check.pipeline import ClaimResult

__all__ = ["Checker", "ClaimResult"]
