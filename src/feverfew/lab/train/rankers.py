"""Train the small parts that rank: `feverfew train ranker NAME`.

Claims are JSON lines with `claim` and their gold: pages, as `pages`, `page` or FEVER's `evidence`;
sentences, as `page` and `line`, FEVER's `evidence`, or `pages` and `evidence_text`, the sentences
themselves, looked for on these pages. A tenth of the claims, split off by page, is held out for
early stopping.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.corpus.tables import TableEntry
from feverfew.errors import InputError
from feverfew.lab.train.datasets import bucket, read_fetaqa, read_rows, read_tabfact
from feverfew.lab.train.network import Group, fit, held_out, shown
from feverfew.models.network import Network
from feverfew.retrieve import Ranked, features
from feverfew.retrieve.retrievers import ClaimSearch, Round
from feverfew.select.context import FeatureContext
from feverfew.select.features import FEATURES, HOP_FEATURES, hop_features, sentence_features
from feverfew.select.sentences import PAGES, feature_context
from feverfew.tables.evidence import FEATURES as CELL_FEATURES
from feverfew.tables.evidence import cell_features
from feverfew.tables.search import FEATURES as TABLE_FEATURES
from feverfew.tables.search import Tables
from feverfew.text import detokenise, words
from feverfew.types import Ref

_HELD = 26
"""Of 256 tables or pages, so many are held out for early stopping."""
_ASKED = 1200
"""Claims that the search for tables learns from."""


class Sources(Struct, frozen=True):
    """What a ranker is trained on; each needs some of it."""

    corpus: Path | None = None
    claims: tuple[Path, ...] = ()
    more: tuple[Path, ...] = ()
    """Further claims over several pages, for `hops`."""
    data: Path | None = None
    """The folder of the data sets, with `tables/` and `wiki/`."""
    seed: int = 1


def train_ranker(name: str, sources: Sources) -> object:
    """Train a part by its name; return what is written as JSON to the weights."""
    if name not in RANKERS:
        raise InputError(f"no ranker is called {name!r}; there are {', '.join(RANKERS)}")
    needs, train = RANKERS[name]
    missing = [f"--{need}" for need in needs if not getattr(sources, need)]
    if missing:
        raise InputError(f"to train {name}, give {' and '.join(missing)}")
    return train(sources)


def gold_pages(paths: Sequence[Path]) -> list[tuple[str, frozenset[str]]]:
    """Read claims with their gold pages; a claim that occurs twice gets all its pages."""
    found: dict[str, set[str]] = {}
    for row in (row for path in paths for row in read_rows(path)):
        pages = set(row.get("pages") or ([row["page"]] if row.get("page") else []))
        pages |= {e[2] for group in row.get("evidence", []) for e in group if e[2]}
        if pages:
            found.setdefault(row["claim"], set()).update(pages)
    return [(claim, frozenset(pages)) for claim, pages in found.items()]


def _pages(sources: Sources) -> dict[str, Network]:
    """Train both networks of the page ranker: before and after a look at the first pages."""
    with _opened(sources) as corpus:
        gold = [
            (claim, numbers, held_out(pages))
            for claim, pages in gold_pages(sources.claims)
            if (numbers := {n for page in pages if (n := corpus.number(page)) is not None})
        ]
        held = [held for *_, held in gold]

        def described(describe: Callable[[ClaimSearch], Round]) -> list[Group]:
            # As arrays: there are a million of them.
            return [
                (
                    np.array(found.rows, np.float32),
                    np.array([n in numbers for n in found.numbers], bool),
                )
                for claim, numbers, _ in shown(gold, "describing")
                for found in [describe(ClaimSearch(corpus, claim))]
            ]

        def second_round(search: ClaimSearch) -> Round:
            found = search.first_round()
            return search.second_round(found, first.scores(found.rows))

        own = features.FEATURES
        first = fit(described(ClaimSearch.first_round), held, own, sources.seed)
        both = own + features.HOP_FEATURES
        return {
            "first": first,
            "second": fit(described(second_round), held, both, sources.seed),
        }


def gold_sentences(corpus: Corpus, paths: Sequence[Path]) -> dict[str, frozenset[Ref]]:
    """Read claims with their gold sentences; a claim that occurs twice gets all of them."""
    found: dict[str, set[Ref]] = {}
    for row in (row for path in paths for row in read_rows(path)):
        found.setdefault(row["claim"], set()).update(_gold_of(corpus, row))
    return {claim: frozenset(refs) for claim, refs in found.items() if refs}


def _gold_of(corpus: Corpus, row: dict[str, Any]) -> Iterator[Ref]:
    if row.get("page"):
        yield Ref.sentence(row["page"], row["line"])
    for group in row.get("evidence", []):
        yield from (Ref.sentence(page, line) for *_, page, line in group if page)
    if row.get("evidence_text"):
        wanted = {tuple(words(detokenise(text))) for text in row["evidence_text"]}
        for title in row["pages"]:
            for sentence in corpus.page(title).sentences if title in corpus else ():
                if tuple(words(sentence.text)) in wanted:
                    yield Ref.sentence(title, sentence.index)


def _sentences(sources: Sources) -> dict[str, Network]:
    """Train both networks of the sentence ranker: each sentence alone, then beside the best."""
    with _opened(sources) as corpus:
        gold = gold_sentences(corpus, sources.claims)
        retriever = Ranked.open(corpus)
        contexts: list[FeatureContext] = [
            feature_context(corpus, claim, retriever.retrieve([claim], PAGES)[0])
            for claim in shown(list(gold), "searching")
        ]
    held = [held_out(frozenset(ref.page for ref in refs)) for refs in gold.values()]
    masks = [
        np.array([statement.ref in refs for statement in context.statements], bool)
        for context, refs in zip(contexts, gold.values(), strict=True)
    ]
    rows = [sentence_features(context) for context in contexts]
    first = fit(list(zip(rows, masks, strict=True)), held, FEATURES, sources.seed)
    both: list[Group] = [
        (np.hstack([own, hop_features(context, first.score_array(own))]), mask)
        for context, own, mask in zip(contexts, rows, masks, strict=True)
    ]
    second = fit(both, held, FEATURES + HOP_FEATURES, sources.seed)
    return {"first": first, "second": second}


def _cells(sources: Sources) -> dict[str, Network]:
    """Train the choice of cells on FeTaQA: true sentences with the very cells that prove them."""
    groups: list[Group] = []
    held: list[bool] = []
    for answer in shown(read_fetaqa(_data(sources) / "tables").training, "describing"):
        places, rows = cell_features(answer.text, answer.view())
        groups.append((rows, np.array([place in answer.gold for place in places], bool)))
        held.append(bucket(f"held {answer.page}") < _HELD)
    return {"cells": fit(groups, held, CELL_FEATURES, sources.seed)}


def fetaqa_key(page: str, section: str, rows: list[list[str]]) -> str:
    """Name a table of FeTaQA; sentences about one table share its name."""
    return f"fetaqa {page} {section} {len(rows)} {rows[-1][0]}"


def read_tables(data: Path) -> Iterator[TableEntry]:
    """Yield every table of TabFact, of WikiTables and of FeTaQA."""
    for row in read_rows(data / "tables/tabfact_tables.jsonl.gz"):
        page = unquote((row["url"] or "").rpartition("/wiki/")[2]).replace("_", " ")
        yield _entry(row["id"], page or row["caption"], row["caption"], row["rows"])
    for row in read_rows(data / "wiki/tables.jsonl.gz"):
        rows = [[cell[0] for cell in row["header"]]]
        rows += [[cell[0] for cell in line] for line in row["data"]]
        yield _entry(row["uid"], row["title"], row["section_title"], rows)
    seen: set[str] = set()
    names = ("table_page_title", "table_section_title", "table_array")
    for row in read_rows(data / "tables/fetaqa.jsonl.gz"):
        page, section, rows = (row[name] for name in names)
        key = fetaqa_key(page, section, rows)
        if key not in seen:
            seen.add(key)
            yield _entry(key, page, section, rows)


def _entry(key: str, page: str | None, section: str | None, rows: list[list[Any]]) -> TableEntry:
    texts = tuple(tuple(str(cell).strip() for cell in row) for row in rows)
    return TableEntry(key, page or "", section or "", texts[0] if texts else (), texts[1:])


def blank_ranker() -> Network:
    """Make an untrained ranker of tables that only counts shared words."""
    size = len(TABLE_FEATURES)
    hidden = [[1.0 if at == 0 else 0.0] for at in range(size)]
    return Network(list(TABLE_FEATURES), [0.0] * size, [1.0] * size, hidden, [0.0], [1.0])


def _tables(sources: Sources) -> dict[str, Network]:
    """Train the search for tables on FeTaQA's sentences and TabFact's true statements."""
    data = _data(sources)
    tables = Tables(list(read_tables(data)), blank_ranker())
    answers = read_fetaqa(data / "tables").training[: _ASKED // 2]
    asked = [(one.text, fetaqa_key(one.page, one.section, one.rows)) for one in answers]
    statements = [one for one in read_tabfact(data / "tables").training if one.label]
    drawn = random.Random(sources.seed).sample(statements, min(_ASKED, len(statements)))
    asked += [(one.text, one.table) for one in drawn[: _ASKED - _ASKED // 2]]
    groups: list[Group] = []
    held: list[bool] = []
    for text, key in shown(asked, "searching"):
        numbers, rows = tables.describe(text)
        gold = np.array([tables.entries[number].key == key for number in numbers], bool)
        if gold.any():
            groups.append((np.array(rows, np.float32), gold))
            held.append(bucket(f"held {key}") < _HELD)
    return {"tables": fit(groups, held, TABLE_FEATURES, sources.seed)}


def _hops(sources: Sources) -> object:
    from feverfew.lab.train.hops import train_hops

    with _opened(sources) as corpus:
        return train_hops(corpus, sources.claims, sources.more, sources.seed)


def _programs(sources: Sources) -> object:
    from feverfew.lab.train.programs import train_programs

    return train_programs(_data(sources) / "tables", sources.seed)


def _related(sources: Sources) -> object:
    from feverfew.lab.train.related import learn_related, read_pairs

    return learn_related(read_pairs(sources.claims))


def _opened(sources: Sources) -> Corpus:
    return Corpus.open(sources.corpus or "")


def _data(sources: Sources) -> Path:
    return sources.data or Path()


RANKERS: dict[str, tuple[tuple[str, ...], Callable[[Sources], object]]] = {
    "pages": (("corpus", "claims"), _pages),
    "hops": (("corpus", "claims"), _hops),
    "sentences": (("corpus", "claims"), _sentences),
    "related": (("claims",), _related),
    "programs": (("data",), _programs),
    "cells": (("data",), _cells),
    "tables": (("data",), _tables),
}
"""What each needs, and how it is trained."""
