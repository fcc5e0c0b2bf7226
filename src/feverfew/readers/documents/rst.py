"""reStructuredText, as docutils reads it.

Documents for Sphinx use directives and roles that docutils does not know. Their text is kept:
`:func:`open`` is read as “open”, and a note of any kind as its paragraphs. No file is included, and
nothing is run.
"""

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from msgspec.structs import replace

from feverfew.errors import BadRecord, MissingExtra
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Content
from feverfew.readers.files import read_as_text
from feverfew.readers.html.page import read_markup
from feverfew.readers.html.sites import document_site

__all__ = ["read_rst"]

_SETTINGS: Mapping[str, object] = {
    "_disable_config": True,
    "embed_stylesheet": False,
    "file_insertion_enabled": False,
    "halt_level": 5,
    "input_encoding": "unicode",
    "line_length_limit": 1 << 20,
    "math_output": "LaTeX",
    "output_encoding": "unicode",
    "raw_enabled": False,
    "report_level": 5,
    "syntax_highlight": "none",
    "toc_backlinks": False,
    "trim_footnote_reference_space": True,
}
_CODE = {"code", "code-block", "sourcecode", "doctest", "testcode", "testoutput", "prompt"}
# What names other files or settings, not text.
_SILENT = {"toctree", "index", "highlight", "currentmodule", "tabularcolumns", "literalinclude"}
_SILENT |= {"contents", "sectnum", "plot", "graphviz", "image", "include", "raw", "automodule"}
_SINCE = {
    "versionadded": "New in version ",
    "versionchanged": "Changed in version ",
    "deprecated": "Deprecated since version ",
}
_MARKS = frozenset({"label", "system-message"})
_TARGET = re.compile(r"(.+?)\s*<[^<>]*>", re.DOTALL)
_ONE_AT_A_TIME = threading.Lock()
_Lookup = Callable[..., tuple[Any, Sequence[Any]]]


def read_rst(record: Record, source: Source) -> Content:
    """Read sections, paragraphs, lists and tables."""
    text = read_as_text(record, source)
    try:
        from docutils.core import publish_parts
        from docutils.utils import DataError, SystemMessage
    except ImportError:
        raise MissingExtra("reading reStructuredText", "documents") from None
    try:
        with _every_directive():
            parts = publish_parts(text, writer="html5", settings_overrides=dict(_SETTINGS))
    except (DataError, SystemMessage, ValueError, LookupError, TypeError) as error:
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        raise BadRecord(f"docutils cannot read it ({why})", path=source.name) from None
    except RecursionError:
        raise BadRecord("it is nested too deeply", path=source.name) from None
    blocks = Blocks()
    site = document_site(source.name)
    site = replace(site, classes=site.classes | _MARKS)
    tree = read_markup(parts["html_body"], blocks, site, source.name)
    heading = tree.css_first("h1, h2")
    return Content(blocks.done(), (heading.text(strip=True) if heading else "",))


@contextmanager
def _every_directive() -> Iterator[None]:
    """Let docutils find a directive and a role for every name, as Sphinx makes it find its own."""
    from docutils.parsers.rst import directives, roles

    directive: _Lookup = directives.directive
    role: _Lookup = roles.role
    unknown, code = _directives()

    def find_directive(name: str, *rest: Any) -> tuple[Any, Sequence[Any]]:
        if name in _CODE:
            return code, []
        found = directive(name, *rest)
        return (found[0] or unknown), []

    def find_role(name: str, *rest: Any) -> tuple[Any, Sequence[Any]]:
        found = role(name, *rest)
        return (found[0] or _role), []

    with _ONE_AT_A_TIME:
        directives.directive, roles.role = find_directive, find_role
        try:
            yield
        finally:
            directives.directive, roles.role = directive, role


def _role(_: str, __: str, text: str, *___: object) -> tuple[list[Any], list[Any]]:
    """Read `title <target>` as its title, and `~package.Name` as its name."""
    from docutils import nodes

    text = re.sub(r"\x00(.)?", r"\1", text)
    if titled := _TARGET.fullmatch(text):
        text = titled[1]
    elif text.startswith("~"):
        text = text.rpartition(".")[2].lstrip("~")
    return [nodes.inline(text, text.lstrip("!"))], []


def _directives() -> tuple[type, type]:
    """Make the directive for unknown names, and the one for code."""
    from docutils import nodes
    from docutils.parsers.rst import Directive, directives

    class Unknown(Directive):  # type: ignore[misc, unused-ignore]
        has_content = True
        optional_arguments = 1
        final_argument_whitespace = True
        # Any option may stand there; an empty mapping would mean none.
        option_spec: ClassVar[Any] = defaultdict(
            lambda: directives.unchanged, name=directives.unchanged
        )

        def run(self) -> list[Any]:
            found = nodes.container()
            if self.name.rpartition(":")[2] in _SILENT:
                return []
            if self.arguments:
                said = self.arguments[0]
                if since := _SINCE.get(self.name):
                    said = since + said.replace("\n", ": ", 1)
                found += nodes.paragraph("", "", *self.state.inline_text(said, self.lineno)[0])
            self.state.nested_parse(self.content, self.content_offset, found)
            return [found]

    class Code(Unknown):
        def run(self) -> list[Any]:
            text = "\n".join(self.content)
            return [nodes.literal_block(text, text)]

    return Unknown, Code
