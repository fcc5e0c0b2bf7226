"""Measure verdicts on tables and texts: python benchmarks/table_verdicts.py --data DIR.

DIR holds `tables/` (InfoTabS, TabFact, HybridQA, SEM-TAB-FACTS), `wiki/tables.jsonl.gz` and
`feverous/`. Reported are only claims that training never saw: InfoTabS' development part, TabFact's
and HybridQA's reported tables, FEVEROUS's reported third of pages, SEM-TAB-FACTS' development part.
Intervals redraw claims by table or page; the baselines run on the same claims. With --corpus (of
`wiki/intros`), HybridQA's claims are added.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from feverfew.judge.features import shares
from feverfew.lab.train.bothsets import beside_tables, divided
from feverfew.lab.train.hybridclaims import hybrid_claims
from feverfew.lab.train.readings import cases
from feverfew.tables.combine import together
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.judge import Judge
from feverfew.judge.label_policy import FEVER, Rule, label_policy
from feverfew.lab.train.feverousclaims import SentenceClaim, read_sentence_claims
from feverfew.lab.train.tableclaims import TableClaim, infobox_claims, infobox_titles
from feverfew.lab.train.tablesets import TabFact, read_tabfact
from feverfew.score.giveaway import Rows, fit, ngrams
from feverfew.tables import TableJudge
from feverfew.tables.evidence import Cells
from measure import system_facts
from sample_sets import sample_sets
from scientific import scientific_claims
from table_musts import verdict_musts
from table_reasoning import interval
from tables import RESULTS, print_musts, write_docs

GROUP = 64
Shares = NDArray[np.float64]
"""A row of S, R and N for each claim."""


def judged(judge: TableJudge, claims: Sequence[TableClaim]) -> tuple[Shares, Shares, Shares]:
    """Judge claims by tables: all that is known together, the encoder alone, programs alone."""
    ours, encoder, programs = [], [], []
    for start in range(0, len(claims), GROUP):
        group = claims[start : start + GROUP]
        texts, views = [one.claim for one in group], [one.view for one in group]
        readings = judge.read(texts, views)
        ours += judge.weigh(readings)
        for reading in readings:
            encoder.append(shares(reading.logits).tolist())
            said = reading.said
            true = said.relevance * said.probability
            programs.append((true, said.relevance - true, 1 - said.relevance))
    return np.array(ours), np.array(encoder), np.array(programs)


def three_way(found: Shares, labels: Sequence[int], rule: Rule = FEVER) -> list[float]:
    return [float(at == y) for at, y in zip((found * rule.weights).argmax(1), labels, strict=True)]


def two_way(found: Shares, labels: Sequence[int], rule: Rule = FEVER) -> list[float]:
    return three_way(found * (1, 1, 0), labels, rule)


def words_alone(train: Sequence[TableClaim], asked: Sequence[TableClaim]) -> Shares:
    """Guess from the claim's words and pairs of words, without any table."""
    grams = [ngrams(one.claim) for one in train]
    counts: dict[str, int] = {}
    for own in grams:
        for gram in own:
            counts[gram] = counts.get(gram, 0) + 1
    columns = {g: at for at, g in enumerate(sorted(g for g, n in counts.items() if n > 1), 1)}

    def rows(claims: Sequence[set[str]]) -> Rows:
        return Rows.of([sorted(columns[g] for g in own if g in columns) for own in claims], width)

    width = len(columns) + 1
    weights = fit(rows(grams), np.array([one.label for one in train]), 3)
    return rows([ngrams(one.claim) for one in asked]).times(weights)


def ece(found: Shares, labels: Sequence[int]) -> float:
    """Return the calibration error of the likeliest verdict, in ten bins."""
    sure = found.max(1)
    right = found.argmax(1) == np.array(labels)
    bins = np.minimum((sure * 10).astype(int), 9)
    each = [
        abs(sure[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean()
        for b in set(bins.tolist())
    ]
    return float(sum(each))


def infoboxes(data: Path, judge: TableJudge, limit: int | None) -> dict[str, Any]:
    """Judge InfoTabS' development claims: entailed, contradicted or neither."""
    claims = infobox_claims(data, "dev", limit, 0)
    start = time.process_time()
    ours, encoder, programs = judged(judge, claims)
    spent = time.process_time() - start
    labels, groups = [one.label for one in claims], [one.table for one in claims]
    known = infobox_titles(data, "train")
    new = [at for at, one in enumerate(claims) if one.view.title not in known]
    train = infobox_claims(data, "train", limit and 20 * limit, 0)
    most = max(range(3), key=labels.count)
    right = three_way(ours, labels)

    parts = {"of what no training infobox is about": new}
    for label, name in enumerate(("entailed", "contradicted", "open")):
        parts[f"{name} claims"] = [at for at, y in enumerate(labels) if y == label]

    return {
        "claims": len(claims),
        "systems": {
            "encoder, programs and words": interval(right, groups),
            "encoder alone": interval(three_way(encoder, labels), groups),
            "programs alone": interval(three_way(programs, labels), groups),
            "the claim's words alone": interval(
                three_way(words_alone(train, claims), labels), groups
            ),
            "majority": interval([float(y == most) for y in labels], groups),
        },
        "slices": {
            name: interval([right[at] for at in own], [groups[at] for at in own])
            | {"claims": len(own)}
            for name, own in parts.items()
            if own
        },
        "ece": ece(ours, labels),
        "milliseconds": 1e3 * spent / len(claims),
    }


def statements(tabfact: TabFact, judge: TableJudge, limit: int) -> dict[str, Any]:
    """Judge TabFact's statements, which are true or false."""
    names = sorted({one.table for one in tabfact.reported})
    random.Random(0).shuffle(names)
    place = {name: at for at, name in enumerate(names)}
    chosen = sorted(tabfact.reported, key=lambda one: place[one.table])[:limit]
    views = tabfact.views(chosen)
    return _true_or_false(
        judge, [TableClaim(o.text, views[o.table], 1 - o.label, o.table) for o in chosen]
    )


def _true_or_false(judge: TableJudge, claims: Sequence[TableClaim]) -> dict[str, Any]:
    """Judge statements that are true or false of a table, and as any other claim."""
    ours, encoder, programs = judged(judge, claims)
    labels, groups = [one.label for one in claims], [one.table for one in claims]
    settled = [at for at, label in enumerate(labels) if label < 2]

    def two(found: Shares) -> dict[str, float]:
        right = two_way(found[settled], [labels[at] for at in settled])
        return interval(right, [groups[at] for at in settled])

    most = max(range(3), key=labels.count)
    return {
        "claims": len(claims),
        "settled": len(settled),
        "systems": {
            "encoder, programs and words": two(ours),
            "encoder alone": two(encoder),
            "programs alone": two(programs),
            "majority": interval([float(y == most) for y in labels], groups),
            "three-way: left open is wrong": interval(three_way(ours, labels), groups),
        },
    }


def sentences(claims: Sequence[SentenceClaim], judge: Judge) -> dict[str, Any]:
    """Judge FEVEROUS's sentence claims by their gold sentences, and with a sentence missing."""
    asked = cases([one for one in claims if one.reported], 0)
    found = []
    for start in range(0, len(asked), GROUP):
        group = asked[start : start + GROUP]
        told = judge.judge([claim for claim, _, _ in group], [own for _, own, _ in group])
        found += [one.probabilities for one in told]
    groups = [own[0][0] for _, own, _ in asked]
    labels = [label for _, _, label in asked]
    whole = [at for at, label in enumerate(labels) if label < 2]
    shares_, feverous = np.array(found), label_policy("feverous")

    def of(
        how: Callable[[Shares, Sequence[int], Rule], list[float]], rule: Rule, kept: list[int]
    ) -> dict[str, float]:
        right = how(shares_[kept], [labels[at] for at in kept], rule)
        return interval(right, [groups[at] for at in kept])

    every = list(range(len(asked)))
    most = max(range(2), key=labels.count)
    return {
        "claims": len(whole),
        "with one missing": len(asked) - len(whole),
        "systems": {
            "supported or refuted, as FEVEROUS reads": of(two_way, feverous, whole),
            "supported or refuted, as FEVER reads": of(two_way, FEVER, whole),
            "three-way, as FEVEROUS reads": of(three_way, feverous, whole),
            "three-way, as FEVER reads": of(three_way, FEVER, whole),
            "majority": interval(
                [float(labels[at] == most) for at in whole], [groups[at] for at in whole]
            ),
            "with open ones, as FEVEROUS reads": of(three_way, feverous, every),
            "with open ones, as FEVER reads": of(three_way, FEVER, every),
        },
    }


def both(tables: TableJudge, claims: Sequence[TableClaim]) -> dict[str, Any]:
    """Judge claims by a table and texts: as one evidence, by a rule, and by either alone."""
    ours, texts, table = [], [], []
    for start in range(0, len(claims), GROUP):
        group = claims[start : start + GROUP]
        asked, views = [one.claim for one in group], [one.view for one in group]
        readings = tables.read(asked, views)
        told = tables.read_texts(asked, views, [one.texts for one in group])
        ours += tables.weigh_both(readings, told)
        texts += [one.alone for one in told]
        table += tables.weigh(readings)
    rule = [together(one, other) for one, other in zip(texts, table, strict=True)]
    labels, groups = [one.label for one in claims], [one.table for one in claims]
    found = {
        "read as one": np.array(ours),
        "joined by a rule": np.array(rule),
        "the texts alone": np.array(texts),
        "the table alone": np.array(table),
    }
    systems = {name: interval(three_way(own, labels), groups) for name, own in found.items()}
    most = max(range(3), key=labels.count)
    systems["majority"] = interval([float(y == most) for y in labels], groups)
    return {"claims": len(claims), "systems": systems}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--json", type=Path, default=RESULTS / "table_verdicts.json")
    parser.add_argument("--limit", type=int, help="only so many claims of each, for a quick try")
    parser.add_argument("--statements", type=int, default=2000, help="of TabFact")
    parser.add_argument("--both", type=int, default=250, help="made claims with both evidences")
    parser.add_argument("--write-docs", action="store_true")
    given = parser.parse_args()
    results: dict[str, Any] = {"system": system_facts()}
    judge = Judge.open(given.model)
    tables = TableJudge.open(judge, Cells.open())
    tabfact = read_tabfact(given.data / "tables")
    fewer = given.limit or 10**9
    results["infoboxes"] = infoboxes(given.data / "tables", tables, given.limit)
    results["statements"] = statements(tabfact, tables, min(given.statements, fewer))
    scientific = scientific_claims(given.data / "tables")[:fewer]
    results["scientific"] = _true_or_false(tables, scientific)
    claims = list(read_sentence_claims(given.data))[: 3 * fewer]
    results["sentences"] = sentences(claims, judge)
    results["both"] = {"sets": made(given.data, claims, min(given.both, fewer))}
    for name, own in list(results["both"]["sets"].items()):
        results["both"]["sets"][name] = both(tables, own)
    if given.corpus:
        with Corpus.open(given.corpus) as corpus:
            own = list(hybrid_claims(given.data, corpus, 0, reported=True))[:fewer]
        results["both"]["sets"]["HybridQA"] = both(tables, own)
    results["both"]["sets"]["sample"] = both(tables, sample_sets()[:fewer])
    results["musts"] = [msgspec.to_builtins(must) for must in verdict_musts(results)]
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    print_musts(results["musts"])
    if given.write_docs:
        write_docs()


def made(data: Path, claims: Sequence[SentenceClaim], count: int) -> dict[str, list[TableClaim]]:
    """Make claims with both kinds of evidence from those that are reported on."""
    rng = random.Random(0)
    own = [one for one in claims if one.reported]
    boxes = rng.sample(infobox_claims(data / "tables", "dev", None, 0), count)
    texts = [piece for one in own for piece in one.pieces]
    return {
        "InfoTabS, divided": [divided(one, texts, rng) for one in boxes],
        "FEVEROUS, beside a silent table": list(beside_tables(own[:count], boxes, rng)),
    }


if __name__ == "__main__":
    main()
