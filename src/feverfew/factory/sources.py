"""Choose the pages that claims are made from, and read what they state, in several processes.

FEVER took popular pages and the pages that they link to (section 3.1). Popular here are the pages
that most others link to.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.factory.facts import RELATIONS, Subject, subject_of
from feverfew.text import display_title, title_key, without_parenthesis
from feverfew.workers import Workers

_CHUNK = 2_000
"""Pages that a worker reads at a time: the same for any number of workers."""
_ASKED = 80
"""Pages that name a subject and are looked at before a claim about it counts as open."""

Progress = Callable[[int, int], None]


def popular_pages(corpus: Corpus, seeds: int, most: int) -> list[int]:
    """Return page numbers: the most linked-to, then what they link to, and on, up to `most`."""
    links = corpus.links
    last = corpus.store.last_number()
    counts = np.array([len(links.into(number)) for number in range(last + 1)])
    order = np.argsort(-counts, kind="stable").tolist()
    chosen = dict.fromkeys(order[:seeds])
    front = list(chosen)
    while front and len(chosen) < most:
        found = dict.fromkeys(n for page in front for n in links.out(page) if n not in chosen)
        front = list(found)
        chosen |= found
    if len(chosen) < most:  # what nothing leads to comes last
        chosen |= dict.fromkeys(order)
    return list(chosen)[:most]


def read_subjects(
    corpus: Path,
    numbers: Sequence[int],
    folder: Path,
    *,
    workers: int = 1,
    progress: Progress = lambda done, total: None,
) -> list[Subject]:
    """Read what pages are about, in chunks that are kept in a folder and not read again."""
    folder.mkdir(parents=True, exist_ok=True)
    chunks = [list(numbers[at : at + _CHUNK]) for at in range(0, len(numbers), _CHUNK)]
    missing = [at for at in range(len(chunks)) if not (folder / f"{at}.msgpack").is_file()]
    progress(len(chunks) - len(missing), len(chunks))
    if missing:
        payloads = (msgspec.msgpack.encode(chunks[at]) for at in missing)
        count = max(1, min(workers, len(missing)))
        with Workers("feverfew.factory.sources:reader", str(corpus), count) as pool:
            for done, (at, answer) in enumerate(zip(missing, pool.map(payloads), strict=True), 1):
                write_whole(folder / f"{at}.msgpack", answer)
                progress(len(chunks) - len(missing) + done, len(chunks))
    decode = msgspec.msgpack.Decoder(list[Subject]).decode
    return [
        subject
        for at in range(len(chunks))
        for subject in decode((folder / f"{at}.msgpack").read_bytes())
    ]


def reader(corpus: str) -> Callable[[bytes], bytes]:
    """Make the work of a worker: page numbers in, subjects out."""
    opened = Corpus.open(corpus)

    def read(payload: bytes) -> bytes:
        found = []
        for number in msgspec.msgpack.decode(payload, type=list[int]):
            page = opened.store.page(number)
            subject = subject_of(page, number) if page is not None else None
            if subject is not None and (subject.facts or subject.silent):
                found.append(subject)
        return msgspec.msgpack.encode(found)

    return read


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


class Elsewhere:
    """Asks other pages whether they speak of what a subject's own page is silent of."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._cues = {key: re.compile(relation.cue) for key, relation in RELATIONS.items()}

    def silent(self, subject: Subject, relation: str) -> bool:
        """Say whether no page that names a subject touches a relation near its name."""
        numbers = self._corpus.links.into(subject.number)
        if len(numbers) > _ASKED:
            return False
        name = without_parenthesis(display_title(subject.title))
        for number in numbers:
            page = self._corpus.store.page(number)
            for sentence in page.sentences if page is not None else ():
                if name in sentence.text and self._cues[relation].search(sentence.text):
                    return False
        return True


def corpus_path(named: str, beside: Path) -> Path:
    """Find a recipe's corpus: 'sample', or a directory, relative to the recipe."""
    if named == "sample":
        from feverfew.sample import sample_corpus

        return sample_corpus()
    path = Path(named) if Path(named).is_absolute() else beside / named
    if not path.is_dir():
        raise InputError(
            f"the recipe's corpus {named!r} is no directory; build it with 'feverfew index'"
        )
    return path


def without(subjects: Sequence[Subject], apart_from: set[str]) -> list[Subject]:
    """Leave out pages, by `title_key`, that something else is measured on."""
    return [one for one in subjects if title_key(one.title) not in apart_from]
