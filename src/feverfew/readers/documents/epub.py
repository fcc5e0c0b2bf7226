"""Books (EPUB): the chapters in their order, each under its heading."""

import posixpath
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote

from msgspec.structs import replace

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Content
from feverfew.readers.documents.zips import DAMAGED, open_zip, parse_xml
from feverfew.readers.files import read_as_text
from feverfew.readers.html.page import parse_markup
from feverfew.readers.html.sites import document_site
from feverfew.readers.html.text import read_blocks
from feverfew.readers.links import document_target

__all__ = ["read_epub"]

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_TEXT = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml"}


def read_epub(record: Record, source: Source) -> Content:
    """Read a book; chapters that are missing are reported, and encrypted ones refused."""
    try:
        with open_zip(record, source, "book", _CONTAINER) as archive:
            return _Book(archive, source).read()
    except BadRecord:
        raise
    except DAMAGED as error:
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        raise BadRecord(f"the book is damaged ({why})", path=source.name) from None


class _Book:
    """A book's package: what it is called, and which of its files are read in which order."""

    def __init__(self, archive: zipfile.ZipFile, source: Source) -> None:
        self._archive, self._source = archive, source
        container = parse_xml(archive.read(_CONTAINER))
        (self._at,) = container.xpath("//*[local-name()='rootfile']/@full-path")[:1]
        self._package = parse_xml(archive.read(self._at))
        # A chapter is no page of its own, so links between chapters lead nowhere else.
        self._site = replace(
            document_site(source.name),
            target=lambda href: document_target(href, "") if "://" in href else "",
        )

    def read(self) -> Content:
        """Read all chapters into one page."""
        blocks = Blocks()
        missing: list[str] = []
        labels = self._labels()
        encrypted = self._encrypted()
        members = set(self._archive.namelist())
        for path in self._chapters():
            if path in encrypted:
                raise BadRecord("the book is encrypted", path=self._source.name)
            if path not in members:
                missing.append(path)
                continue
            self._chapter(path, labels.get(path, ""), blocks)
        titles = self._package.xpath("//*[local-name()='metadata']/*[local-name()='title']")
        names = tuple(" ".join(title.itertext()) for title in titles[:1])
        problem = f"the book lacks {', '.join(missing[:3])}" if missing else ""
        return Content(blocks.done(), names, problem=problem)

    def _chapter(self, path: str, label: str, blocks: Blocks) -> None:
        data = self._archive.read(path)
        if not data.strip():
            return
        text = read_as_text(Record(data, 1), Source(self._source.path, path))
        tree = parse_markup(text, self._source.name)
        if tree.body is None:
            return
        if label and not tree.css_first("h1, h2, h3, h4, h5, h6"):
            blocks.section(label)
        read_blocks(tree.body, blocks, self._site)

    def _manifest(self) -> dict[str, tuple[str, str, str]]:
        """Map every file's id to its path, its type and its properties."""
        return {
            item.get("id", ""): (
                self._path(item.get("href", ""), self._at),
                item.get("media-type", ""),
                item.get("properties", ""),
            )
            for item in self._package.xpath("//*[local-name()='manifest']/*")
            if isinstance(item.tag, str)
        }

    def _chapters(self) -> Iterator[str]:
        """Yield the files to read, in order; a table of contents is none."""
        known = self._manifest()
        for item in self._package.xpath("//*[local-name()='spine']/*[local-name()='itemref']"):
            path, kind, properties = known.get(item.get("idref", ""), ("", "", ""))
            if path and kind in _TEXT and "nav" not in properties.split():
                yield path

    def _labels(self) -> dict[str, str]:
        """Map chapters to what the table of contents calls them."""
        found: dict[str, str] = {}
        for path, kind, properties in self._manifest().values():
            if path not in self._archive.namelist():
                continue
            if "nav" in properties.split():
                links = "//*[local-name()='nav']//*[local-name()='a'][@href]"
                pairs = [
                    (link.get("href"), link)
                    for link in parse_xml(self._archive.read(path)).xpath(links)
                ]
            elif kind == "application/x-dtbncx+xml":
                pairs = [
                    (content, point.xpath("*[local-name()='navLabel']")[0])
                    for point in parse_xml(self._archive.read(path)).xpath(
                        "//*[local-name()='navPoint'][*[local-name()='navLabel']]"
                    )
                    for content in point.xpath("*[local-name()='content']/@src")
                ]
            else:
                continue
            for href, label in pairs:
                words = " ".join("".join(label.itertext()).split())
                found.setdefault(self._path(href, path), words)
        return found

    def _encrypted(self) -> set[str]:
        """Name the files that cannot be read; fonts often are among them."""
        if _ENCRYPTION not in self._archive.namelist():
            return set()
        listed = parse_xml(self._archive.read(_ENCRYPTION))
        return {unquote(uri) for uri in listed.xpath("//*[local-name()='CipherReference']/@URI")}

    def _path(self, href: str, base: str) -> str:
        """Return the member that a link in another one leads to."""
        folder = posixpath.dirname(base)
        return posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))
