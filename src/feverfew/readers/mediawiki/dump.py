"""Read MediaWiki's XML exports: Wikipedia's dumps and those of any other wiki.

A dump is split at `<page>` and `</page>` as bytes: in XML both can only be tags, so splitting
costs next to nothing, each page is parsed apart, and a broken one harms no other. A document
type cannot reach a page, so neither can entities that expand.
"""

import lzma
import re
import zlib
from collections.abc import Iterator
from typing import IO

import msgspec
import zstandard
from lxml import etree

from feverfew.errors import BadRecord
from feverfew.readers.base import Parsed, Record, Source
from feverfew.readers.files import open_bytes
from feverfew.readers.mediawiki.wikitext import read_wikitext
from feverfew.types import Page, Redirect

LONGEST_PAGE = 9 << 20
"""MediaWiki allows 2 MB of text; below 10 MB the XML parser needs no special leave."""

_CHUNK = 1 << 20
_BETWEEN = 1 << 20
"""How much is kept of what is no page: the header, the end."""
_ROOT = re.compile(
    rb"\s*+(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*>\s*+)?(?:<!--.*?-->\s*+|<!DOCTYPE[^<>]*>\s*+)*+<mediawiki[\s>]",
    re.S,
)
_NAMESPACE = re.compile(rb'<namespace\b[^<>]*?key="(-2|6|14)"[^<>]*>([^<]+)</namespace>')
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError)
_OPEN, _CLOSE, _END = b"<page>", b"</page>", b"</mediawiki>"


class _Piece(msgspec.Struct, array_like=True):
    """What a record carries: the wiki's words for files and categories, and a page's XML."""

    namespaces: tuple[str, ...]
    xml: bytes


class MediaWiki:
    """The `mediawiki` format: an XML export, schema 0.3 to 0.11, in one stream or many."""

    name = "mediawiki"

    def recognises(self, head: bytes, source: Source) -> bool:
        return _ROOT.match(head) is not None

    def records(self, source: Source) -> Iterator[Record]:
        with open_bytes(source.path) as file:
            yield from _split(file)

    def parse(self, record: Record, source: Source) -> Parsed:
        if record.problem:
            raise BadRecord(record.problem, path=source.name, line=record.line)
        try:
            return _page(msgspec.msgpack.decode(record.data, type=_Piece), source)
        except etree.XMLSyntaxError as error:
            why = f"not well-formed XML: {error.msg}"
        except BadRecord as error:
            why = error.reason
        raise BadRecord(why, path=source.name, line=record.line)


def _split(file: IO[bytes]) -> Iterator[Record]:
    """Yield a record a page; what stops the stream becomes the last one, with its problem."""
    # What is read but not yet yielded, and the line on which it begins.
    rest, line = b"", 1
    namespaces: tuple[str, ...] | None = None
    too_long = False
    problem = ""
    while True:
        try:
            chunk = file.read(_CHUNK)
        except _BROKEN as error:
            problem = f"the file cannot be read any further: {error}"
            break
        if not chunk:
            break
        rest += chunk
        at = 0
        if too_long:
            if (end := rest.find(_CLOSE)) < 0:
                line += rest.count(b"\n", 0, len(rest) - len(_CLOSE))
                rest = rest[-len(_CLOSE) :]
                continue
            line += rest.count(b"\n", 0, end)
            at, too_long = end, False
        while (start := rest.find(_OPEN, at)) >= 0 and (end := rest.find(_CLOSE, start)) >= 0:
            end += len(_CLOSE)
            if namespaces is None:
                namespaces = _namespaces(rest[:start])
            first_line = line + rest.count(b"\n", at, start)
            line = first_line + rest.count(b"\n", start, end)
            if (last := rest.rfind(_OPEN, start, end)) > start:
                yield Record(b"", first_line, "the page is not closed")
                first_line += rest.count(b"\n", start, last)
            yield Record(msgspec.msgpack.encode(_Piece(namespaces, rest[last:end])), first_line)
            at = end
        rest = rest[at:]
        if start >= 0 and len(rest) > LONGEST_PAGE:
            first_line = line + rest.count(b"\n", 0, start - at)
            yield Record(b"", first_line, f"the page is longer than {LONGEST_PAGE >> 20} MB")
            too_long = True
        elif start < 0 and len(rest) > _BETWEEN:
            line += rest.count(b"\n", 0, len(rest) - _BETWEEN)
            rest = rest[-_BETWEEN:]
    if not problem and (too_long or _OPEN in rest):
        problem = "the file ends inside a page: it is cut off"
    elif not problem and _END not in rest:
        problem = "the file ends without </mediawiki>: it is cut off"
    if problem:
        yield Record(b"", line, problem)


def _namespaces(header: bytes) -> tuple[str, ...]:
    """Return what the wiki calls media, files and categories."""
    return tuple(
        found[2].decode("utf-8", "replace").strip() for found in _NAMESPACE.finditer(header)
    )


_REDIRECT = re.compile(r"\s*+#redirect\s*+:?\s*+\[\[([^\]|\n]+)", re.IGNORECASE)


def _page(piece: _Piece, source: Source) -> Parsed:
    # The parser is made anew: one cannot be shared between threads.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    page = etree.fromstring(piece.xml, parser)
    title = " ".join((page.findtext("title") or "").split())
    if not title:
        raise BadRecord("the page has no <title>")
    if (page.findtext("ns") or "0").strip() != "0":
        return None
    revisions = page.findall("revision")
    newest = revisions[-1] if revisions else page
    text = newest.findtext("text") or ""
    redirect = page.find("redirect")
    target = redirect.get("title", "") if redirect is not None else ""
    if not target and (found := _REDIRECT.match(text)):
        target = found[1]
    if target := " ".join(target.partition("#")[0].replace("_", " ").split()):
        return Redirect(title, target)
    if (newest.findtext("model") or "wikitext").strip() != "wikitext":
        return None
    read = read_wikitext(text, piece.namespaces)
    flagged = read.disambiguation or title.endswith("(disambiguation)")
    return Page(title, read.blocks, disambiguation=flagged, source=source.name)
