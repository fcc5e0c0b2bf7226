"""A magic for Jupyter and IPython: `%load_ext feverfew.integrations.notebook`.

%feverfew Fritz Lang directed Metropolis.
%feverfew --corpus my.corpus We reimburse train tickets.

%%feverfew --corpus my.corpus
A whole text, whose sentences are checked one by one.
"""

import re
from collections.abc import Sequence
from typing import Any

from feverfew.check import Checker
from feverfew.check.documents import passages
from feverfew.render.check_html import CheckedPassage, report_html
from feverfew.render.wording import tally
from feverfew.types import Report

_opened: dict[str, Checker] = {}
_WORD = re.compile(r"'([^']*)'|\"([^\"]*)\"|(\S+)")


class CheckedText(Sequence[CheckedPassage]):
    """The passages of a text with their reports; a notebook draws it."""

    def __init__(self, passages: Sequence[CheckedPassage]) -> None:
        self._passages = tuple(passages)

    def __len__(self) -> int:
        return len(self._passages)

    def __getitem__(self, at: Any) -> Any:
        return self._passages[at]

    @property
    def reports(self) -> list[Report]:
        """What was found, for each sentence that was checked."""
        return [one.report for one in self if one.report is not None]

    def __repr__(self) -> str:
        return tally([report.verdict for report in self.reports])

    def _repr_html_(self) -> str:
        return "".join(map(report_html, self.reports))


def check_line(line: str, cell: str | None = None) -> Report | CheckedText | None:
    """Check the claim of a line, or the text of a cell."""
    corpus, claim = _corpus_of(line)
    checker = _checker(corpus)
    if cell is None:
        return checker.check([claim])[0] if claim else None
    found = passages(cell)
    reports = iter(checker.check([one.claim for one in found if not one.skipped]))
    return CheckedText([CheckedPassage(p, None if p.skipped else next(reports)) for p in found])


def _corpus_of(line: str) -> tuple[str, str]:
    """Take `--corpus DIR` off the beginning of a line.

    >>> _corpus_of("--corpus 'my files' It's so.")
    ('my files', "It's so.")
    """
    line = line.strip()
    if not line.startswith("--corpus"):
        return "", line
    rest = line.removeprefix("--corpus").lstrip(" =")
    found = _WORD.match(rest)
    if found is None:
        return "", rest
    return found[1] or found[2] or found[3], rest[found.end() :].strip()


def _checker(corpus: str) -> Checker:
    if corpus not in _opened:
        _opened[corpus] = Checker.open(corpus or None)
    return _opened[corpus]


def load_ipython_extension(shell: Any) -> None:
    """Make the magic known to a notebook."""
    shell.register_magic_function(check_line, "line_cell", "feverfew")


def unload_ipython_extension(shell: Any) -> None:
    """Close the corpora that were asked."""
    while _opened:
        _opened.popitem()[1].close()
