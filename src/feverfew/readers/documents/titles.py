"""What people call a document: its own title, if it has one that says something, or its file's.

Metadata is often left over from a template or written by a printer ("Microsoft Word - plan.doc",
"(anonymous)", "Untitled"); such a title names nothing, and the next one is taken.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

_LONGEST = 200
# Left over from templates, printers and converters.
_EMPTY = re.compile(
    r"(?:untitled|title|document|unnamed|no ?name|no ?title|anonymous|none|null|unknown|home"
    r"|index|readme|blank|new document|presentation|powerpoint presentation|slide|\d+)\W*\d*",
    re.IGNORECASE,
)
_PRINTED = re.compile(
    r"^(?:microsoft (?:word|excel|powerpoint)|print|untitled)\b.*|.*\.\w{2,5}$"
    r"|^(?:file|https?):.*|.*[/\\]{2}.*",
    re.IGNORECASE,
)
# Names that say what kind of file it is, not what it is about.
_GENERIC = {"index", "readme", "untitled", "document", "doc", "file", "notes", "page", "default"}


def names_of(titles: Iterable[str], path: str) -> tuple[str, tuple[str, ...]]:
    """Return a document's name, and all names that it goes by: its titles and its file's words.

    >>> names_of(["Untitled", "Travel policy"], "policies/travel.md")
    ('Travel policy', ('Travel policy', 'travel'))
    >>> names_of(["(anonymous)"], "annual-report_2024.pdf")
    ('annual report 2024', ('annual report 2024',))
    """
    known = dict.fromkeys([*filter(_says_something, map(_clean, titles)), *_in_words(path)])
    name = next(iter(known), PurePosixPath(path).name)
    return name, tuple(alias for alias in known if alias != path)


def _clean(title: str) -> str:
    return " ".join(title.split())


def _says_something(title: str) -> bool:
    bare = title.strip("()[]<>*_#\"' ")
    return (
        len(title) <= _LONGEST
        and bool(re.search(r"[^\W\d_]", bare))
        and not _EMPTY.fullmatch(bare)
        and not _PRINTED.match(bare)
    )


def _in_words(path: str) -> Iterator[str]:
    """Yield a file's name as words, if it is made of words: 'travel-policy.md'."""
    stem = PurePosixPath(path).name.split(".", 1)[0]
    words = re.sub(r"[-_\s]+", " ", stem).strip()
    letters = sum(map(str.isalpha, words))
    if letters >= 3 and letters * 2 > len(words) and words.lower() not in _GENERIC:
        yield words
