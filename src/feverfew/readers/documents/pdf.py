"""PDF files: the words of each page with their places; `pdf_layout` makes blocks of them.

PDFium was the fastest of four libraries, and lost the least: see docs/explanation/documents.md.
"""

import ctypes
import math
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from feverfew.errors import BadRecord, MissingExtra
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Content
from feverfew.readers.documents.pdf_layout import Line, Sheet, Word, read_sheets

if TYPE_CHECKING:
    import pypdfium2

_LOCK = threading.Lock()
"""PDFium keeps its state to itself: one thread at a time may call it."""
_MOST_CHARACTERS = 200_000
"""Of one page; a page of a book has three thousand."""
_HYPHEN, _SOFT_HYPHEN = 0xFFFE, 0x02
_BREAKS = frozenset((10, 13))
_BLANKS = frozenset((0, 9, 32, 160, 0x2002, 0x2003, 0x2009, 0x200A, 0x202F, 0x3000))
_ACCENTS = {
    "¨": "\u0308",
    "´": "\u0301",
    "`": "\u0300",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "ˇ": "\u030c",
    "˚": "\u030a",
    "¸": "\u0327",
    "˘": "\u0306",
    "¯": "\u0304",
}
_LIGATURES = str.maketrans(
    {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\xad": ""}
)
_BOLD = re.compile(r"bold|black|heavy|semib|demib|cmbx|sfbx|medi\b|-medi|b[ix]?\d*$", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|typewriter|cmtt|sftt|consol|fixed|code|nimbusmon", re.IGNORECASE)


def read_pdf(record: Record, source: Source) -> Content:
    """Read a PDF's pages; say so where it is encrypted, damaged or made of images."""
    try:
        import pypdfium2 as pdfium
    except ImportError:
        raise MissingExtra("reading PDF", "documents") from None
    if not record.data.lstrip()[:1024].count(b"%PDF-"):
        raise BadRecord("the PDF is damaged (it does not begin as one)", path=source.name)
    with _LOCK:
        try:
            document = pdfium.PdfDocument(record.data)
        except pdfium.PdfiumError as error:
            raise _refused(str(error), source) from None
        try:
            title = document.get_metadata_value("Title")
            sheets = [_sheet(document, number) for number in range(len(document))]
        except (pdfium.PdfiumError, ValueError, OSError) as error:
            raise _refused(str(error), source) from None
        finally:
            document.close()
    if not any(sheet.lines for sheet in sheets):
        raise BadRecord(
            "the PDF holds no text: its pages are images, recognise their text (OCR) first",
            path=source.name,
        )
    content = read_sheets(sheets, title)
    return replace(content, problem=_problem(sheets))


def _problem(sheets: Sequence[Sheet]) -> str:
    """Say which pages hold no text that can be read, if some do."""
    scanned = [n for n, sheet in enumerate(sheets, 1) if sheet.scanned]
    damaged = [n for n, sheet in enumerate(sheets, 1) if sheet.unreadable]
    said = []
    if scanned:
        said.append(f"{_numbers(scanned)} without text: images, recognise their text (OCR) first")
    if damaged:
        said.append(f"{_numbers(damaged)} damaged")
    return "; ".join(said)


def _numbers(pages: list[int]) -> str:
    if len(pages) == 1:
        return f"page {pages[0]} is"
    shown = ", ".join(map(str, pages[:10])) + (" …" if len(pages) > 10 else "")
    return f"{len(pages)} pages ({shown}) are"


def _refused(why: str, source: Source) -> BadRecord:
    if "assword" in why or "ecurity" in why:
        return BadRecord("the PDF is encrypted; save it without its password", path=source.name)
    return BadRecord(f"the PDF is damaged ({why})", path=source.name)


def _sheet(document: "pypdfium2.PdfDocument", number: int) -> Sheet:
    import pypdfium2 as pdfium

    try:
        page = document[number]
    except pdfium.PdfiumError:
        return Sheet([], 0.0, unreadable=True)
    try:
        text = page.get_textpage()
        try:
            lines = list(_lines(text.raw, pdfium.raw, text.count_chars(), page.get_rotation()))
        finally:
            text.close()
        images = False
        if not lines:
            kinds = [pdfium.raw.FPDF_PAGEOBJ_IMAGE]
            images = next(iter(page.get_objects(kinds, max_depth=2)), None) is not None
        return Sheet(lines, float(page.get_height()), scanned=images)
    finally:
        page.close()


class _Glyphs:
    """The characters of one page, as PDFium knows them."""

    def __init__(self, text: Any, raw: Any, rotation: int) -> None:
        self._text, self._raw, self._rotation = text, raw, rotation
        self._box = raw.FS_RECTF()
        self._name = ctypes.create_string_buffer(256)
        self._flags = ctypes.c_int()

    def box(self, at: int) -> tuple[float, float, float, float]:
        """Return left, bottom, right and top, as a reader holds the page."""
        self._raw.FPDFText_GetLooseCharBox(self._text, at, ctypes.byref(self._box))
        box = self._box
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        match self._rotation:
            case 90:
                return bottom, -right, top, -left
            case 180:
                return -right, -top, -left, -bottom
            case 270:
                return -top, left, -bottom, right
        return left, bottom, right, top

    def size(self, at: int) -> float:
        return float(self._raw.FPDFText_GetFontSize(self._text, at))

    def font(self, at: int) -> tuple[bool, bool]:
        """Say whether a character is bold, and whether its font is one for code."""
        size = self._raw.FPDFText_GetFontInfo(
            self._text, at, self._name, len(self._name), ctypes.byref(self._flags)
        )
        name = self._name.raw[: max(size - 1, 0)].decode("utf-8", "replace")
        name = name.partition("+")[2] or name
        return bool(_BOLD.search(name)), bool(_MONO.search(name) or self._flags.value & 1)

    def angle(self, at: int) -> int:
        """Return how a character is turned: 0, 90, 180 or 270."""
        turned = math.degrees(self._raw.FPDFText_GetCharAngle(self._text, at))
        return round(turned / 90) % 4 * 90


def _lines(text: Any, raw: Any, count: int, rotation: int) -> Iterator[Line]:
    """Yield a page's lines in the order in which they were drawn."""
    codes = [raw.FPDFText_GetUnicode(text, at) for at in range(min(count, _MOST_CHARACTERS))]
    turned = _turned(text, raw, codes) if codes else 0
    glyphs = _Glyphs(text, raw, (rotation + turned) % 360)
    words: list[Word] = []
    start, hyphened = -1, False

    def line() -> Iterator[Line]:
        nonlocal words, hyphened
        if words:
            sample = [words[0], words[len(words) // 2], words[-1]]
            bold, mono = zip(*(glyphs.font(word.start) for word in sample), strict=True)
            if any(word.text in _ACCENTS for word in words) and len(words) > 1:
                words = _with_accents(glyphs, codes, words)
            yield Line.of(words, all(bold), all(mono), hyphened)
        words, hyphened = [], False

    for at, code in enumerate([*codes, 13]):
        broken = code in _BREAKS or code in (_HYPHEN, _SOFT_HYPHEN)
        if not broken and code not in _BLANKS:
            start = at if start < 0 else start
            continue
        if start >= 0:
            word = _word(glyphs, codes, start, at)
            if words and _moves_on(words[-1], word):
                yield from line()
            words.append(word)
            start = -1
        if broken and words:
            hyphened = code in (_HYPHEN, _SOFT_HYPHEN)
            yield from line()


def _moves_on(last: Word, word: Word) -> bool:
    """Say whether a word that was drawn next stands elsewhere: in another column, for example."""
    shifted = abs(word.y0 - last.y0) > 0.3 * word.size and word.x0 - last.x1 > 2 * word.size
    return shifted or word.x1 < last.x0


def _turned(text: Any, raw: Any, codes: list[int]) -> int:
    """Return how most of a page's text is turned: a wide table may lie on its side."""
    seen = Counter(
        _Glyphs(text, raw, 0).angle(at) for at in range(0, len(codes), max(len(codes) // 20, 1))
    )
    return seen.most_common(1)[0][0]


def _word(glyphs: _Glyphs, codes: list[int], start: int, end: int) -> Word:
    first = glyphs.box(start)
    last = glyphs.box(end - 1) if end - start > 1 else first
    letters = "".join(chr(code) for code in codes[start:end])
    if not letters.isascii():
        letters = _composed(letters)
    return Word(
        letters,
        min(first[0], last[0]),
        min(first[1], last[1]),
        max(first[2], last[2]),
        max(first[3], last[3]),
        glyphs.size(start) or first[3] - first[1],
        start,
        end,
    )


def _with_accents(glyphs: _Glyphs, codes: list[int], words: list[Word]) -> list[Word]:
    """Put accents that were drawn apart onto the letters below them."""
    made = [word for word in words if word.text not in _ACCENTS]
    for accent in words:
        if accent.text not in _ACCENTS:
            continue
        middle = (accent.x0 + accent.x1) / 2
        for place, word in enumerate(made):
            if not word.x0 <= middle <= word.x1 or len(word.text) != word.end - word.start:
                continue
            for at in range(word.start, word.end):
                left, _, right, _ = glyphs.box(at)
                if left <= middle <= right and chr(codes[at]).isalpha():
                    mark = at - word.start
                    letter = unicodedata.normalize("NFC", word.text[mark] + _ACCENTS[accent.text])
                    text = word.text[:mark] + letter + word.text[mark + 1 :]
                    made[place] = replace(word, text=text)
                    break
    return made


def _composed(letters: str) -> str:
    """Put accents that were drawn before their letter onto it, and part ligatures."""
    made: list[str] = []
    accent = ""
    for letter in letters:
        if letter in _ACCENTS and len(letters) > 1:
            accent = _ACCENTS[letter]
            continue
        made.append(unicodedata.normalize("NFC", letter + accent) if accent else letter)
        accent = ""
    if accent and made:
        made[-1] = unicodedata.normalize("NFC", made[-1] + accent)
    return "".join(made).translate(_LIGATURES)
