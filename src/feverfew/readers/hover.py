"""HoVer's corpus: HotpotQA's abstracts, `{"title", "text"}`, with or without links."""

import html
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.json import Decoder

from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Run
from feverfew.readers.decode import check_title, decode, json_keys
from feverfew.readers.files import lines
from feverfew.readers.links import link_target
from feverfew.types import Block, Link, Page, Sentence

_Text = str | list[str | list[str]]
"""An abstract, its sentences, or its paragraphs' sentences."""


class _Raw(Struct):
    title: str
    text: _Text = ""
    text_with_links: _Text = ""


_DECODER = Decoder(_Raw)
# A link's text ends where another begins, so that one without an end is not looked for to the end.
_ANCHOR = re.compile(r'<a href="([^"<]*)"[^<>]*>((?:[^<]|<(?!/?a\b))*+)</a>', re.IGNORECASE)
_TAG = re.compile(r"</?a\b[^<>]*>", re.IGNORECASE)


class Hover:
    """Read abstracts; a text that is not split into sentences yet is split here."""

    name = "hover"

    def recognises(self, head: bytes, source: Source) -> bool:
        return any(
            b"title" in keys and keys & {b"text", b"text_with_links"} and b"order" not in keys
            for keys in json_keys(head)
        )

    def records(self, source: Source) -> Iterator[Record]:
        return lines(source)

    def parse(self, record: Record, source: Source) -> Page | None:
        raw = decode(_DECODER, record, source)
        if not raw.title and not raw.text and not raw.text_with_links:
            return None
        check_title(raw.title, record, source)
        return Page(raw.title, _blocks(raw), source=source.name)


def _blocks(raw: _Raw) -> tuple[Block, ...]:
    linked = raw.text_with_links or raw.text
    if isinstance(linked, str):
        blocks = Blocks()
        blocks.paragraph(_runs(linked) if raw.text_with_links else [linked])
        return blocks.done()
    plain, marked = _flat(raw.text), _flat(linked)
    if len(plain) != len(marked):
        plain = [_without_tags(sentence) for sentence in marked]
    links = map(_links, marked) if raw.text_with_links else [()] * len(marked)
    numbered = enumerate(zip(plain, links, strict=True))
    return tuple(Sentence(n, text.strip(), found) for n, (text, found) in numbered if text.strip())


def _flat(text: _Text) -> list[str]:
    """List the sentences; their number is their place in the whole abstract."""
    if isinstance(text, str):
        return []
    return [s for part in text for s in ([part] if isinstance(part, str) else part)]


def _runs(marked: str) -> list[Run]:
    runs: list[Run] = []
    at = 0
    for match in _ANCHOR.finditer(marked):
        runs.append(_without_tags(marked[at : match.start()]))
        target, text = link_target(html.unescape(match[1])), _without_tags(match[2])
        runs.append(Link(target, text) if target else text)
        at = match.end()
    return [*runs, _without_tags(marked[at:])]


def _links(marked: str) -> tuple[Link, ...]:
    return tuple(run for run in _runs(marked) if isinstance(run, Link) and run.text.strip())


def _without_tags(marked: str) -> str:
    return html.unescape(_TAG.sub("", marked))
