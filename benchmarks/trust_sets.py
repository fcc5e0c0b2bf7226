"""The sets of labelled claims that trust.py asks: each function measures one."""

import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

import out_of_domain
from feverfew import Checker, Corpus, Judge, read_claims
from feverfew.corpus.build import build
from feverfew.judge import Piece
from feverfew.judge.label_policy import open_policy
from feverfew.readers.files import open_bytes
from feverfew.sample import sample_claims
from official import fever_figures, hover_figures
from outcomes import (
    BATCH,
    Case,
    Outcome,
    draw,
    figures,
    judge_cases,
    letter,
    report_outcomes,
    two_way,
)

__all__ = ["SETS", "MissingOption"]


class MissingOption(Exception):
    """A set needs a file or a corpus that was not given."""


def needed(given: Namespace, name: str) -> Path:
    path: Path | None = getattr(given, name)
    if path is None:
        raise MissingOption(f"give --{name}")
    return path


def some(given: Namespace, cases: Sequence[Case]) -> list[Case]:
    return draw(cases, given.most, lambda case: case.group)


def check_cases(checker: Checker, cases: Sequence[Case]) -> list[Outcome]:
    """Check claims against a corpus."""
    groups = [cases[start : start + BATCH] for start in range(0, len(cases), BATCH)]
    reports = [report for own in groups for report in checker.check([case.claim for case in own])]
    return report_outcomes(checker.corpus, cases, reports)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)


def fever(given: Namespace, judge: Judge) -> dict[str, Any]:
    """FEVER's development claims on pages that nothing was trained or tuned on."""
    from feverfew.lab.train.datasets import development

    with Checker(Corpus.open(needed(given, "corpus")), judge) as checker:
        claims = development(given.data, checker.corpus).report
        return fever_figures(checker, draw(claims, given.most, lambda claim: claim.group))


def hover(given: Namespace, judge: Judge) -> dict[str, Any]:
    """The third of HoVer's questions that nothing was trained or tuned on."""
    from feverfew.lab.train.datasets import hover_claims, is_test

    claims = [c for c in hover_claims(given.data / "hover/claims.jsonl.gz") if is_test(c.question)]
    with Checker(Corpus.open(needed(given, "hover")), judge) as checker:
        return hover_figures(checker, draw(claims, given.most, lambda claim: claim.question))


def skills(given: Namespace, judge: Judge) -> dict[str, Any]:
    cases = [
        Case(claim=r["claim"], gold=r["label"], group=" ".join(r["evidence"]),
             texts=tuple(r["evidence"]))
        for r in rows(given.data / "skills/dev.jsonl")
    ]  # fmt: skip
    return figures(judge_cases(judge, some(given, cases)))


def collections(given: Namespace) -> list[Case]:
    """Read the claims about real documents; a group's name starts with its collection's."""
    cases = []
    for folder in sorted((given.data / "realdocs/dev").iterdir()):
        for r in rows(folder / "claims.jsonl"):
            snippets = tuple((e["doc"], e["text"]) for one in r["evidence"] for e in one)
            texts = tuple(e["text"].removeprefix("TABLE: ") for e in (r["evidence"] or [[]])[0])
            group = f"{folder.name}/{snippets[0][0] if snippets else r['id']}"
            cases.append(Case(claim=r["claim"], gold=r["label"], group=group,
                              texts=texts, snippets=snippets))  # fmt: skip
    return cases


def realdocs_gold(given: Namespace, judge: Judge) -> dict[str, Any]:
    cases = [case for case in collections(given) if case.texts]
    return figures(judge_cases(judge, some(given, cases)))


def realdocs(given: Namespace, judge: Judge) -> dict[str, Any]:
    found = []
    cases = some(given, collections(given))
    with tempfile.TemporaryDirectory() as work:
        for name in sorted({case.group.partition("/")[0] for case in cases}):
            directory = (given.work or Path(work)) / f"{name}.corpus"
            if not directory.exists():
                build([given.data / "realdocs/dev" / name / "docs"], directory, workers=1)
            own = [case for case in cases if case.group.startswith(f"{name}/")]
            with Checker(Corpus.open(directory), judge) as checker:
                found += check_cases(checker, own)
    return figures(found)


def sample(given: Namespace, judge: Judge) -> dict[str, Any]:
    cases = [
        Case(claim=c.text, gold=letter(c.label), group=c.group or str(c.id), refs=c.evidence)
        for path in sample_claims()
        for c in read_claims(path)
    ]
    with Checker(Corpus.sample(), judge) as checker:
        return figures(check_cases(checker, some(given, cases)))


def vitaminc(given: Namespace, judge: Judge) -> dict[str, Any]:
    return _pairs(given, judge, out_of_domain.read_vitaminc(needed(given, "vitaminc")))


def summaries(given: Namespace, judge: Judge) -> dict[str, Any]:
    return _pairs(given, judge, out_of_domain.read_summaries(needed(given, "summaries")))


def _pairs(given: Namespace, judge: Judge, pairs: Sequence[out_of_domain.Pair]) -> dict[str, Any]:
    binary = any(pair.label == "X" for pair in pairs)
    cases = [
        Case(claim=p.claim, gold=p.label, group=p.group, binary=binary, texts=(p.evidence,))
        for p in out_of_domain.unseen(pairs, given.data)
    ]
    return figures(judge_cases(judge, some(given, cases)))


def feverous(given: Namespace, judge: Judge) -> dict[str, Any]:
    """FEVEROUS's claims that sentences settle, with those sentences."""
    from feverfew.lab.train.datasets import read_sentence_claims

    cases = [
        Case(claim=c.claim, gold="SR"[c.label], group=c.page,
             texts=tuple(f"{page}: {text}" for page, text in c.pieces))
        for c in read_sentence_claims(given.data) if c.reported
    ]  # fmt: skip
    found = judge_cases(judge, some(given, cases))
    return figures(found) | {"two_way": two_way(found, open_policy("feverous"))}


def tabfact(given: Namespace, judge: Judge) -> dict[str, Any]:
    from feverfew.lab.train.datasets import read_tabfact

    read = read_tabfact(given.data / "tables")
    chosen = draw(read.reported, given.most, lambda statement: statement.table)
    views = read.views(chosen)
    found = _by_tables(judge, [
        (Case(claim=s.text, gold="S" if s.label else "X", group=s.table, binary=True),
         views[s.table])
        for s in chosen
    ])  # fmt: skip
    return figures(found) | {"two_way": two_way(found, judge.policy)}


def infotabs(given: Namespace, judge: Judge) -> dict[str, Any]:
    from feverfew.lab.train.tableclaims import infobox_claims

    return figures(_by_tables(judge, [
        (Case(claim=c.claim, gold="SRN"[c.label], group=c.table), c.view)
        for c in infobox_claims(given.data / "tables", "dev", given.most, 1)
    ]))  # fmt: skip


def _by_tables(judge: Judge, asked: Sequence[tuple[Case, Any]]) -> list[Outcome]:
    """Judge claims by the cells that are chosen for them, as `check` does."""
    from feverfew.tables import TableReader
    from feverfew.types import Table

    reader, found = TableReader.open(), []
    for case, view in asked:
        evidence = reader.read(case.claim, Table(0, ()), view)
        piece = Piece("", evidence.text, evidence.votes)
        (one,) = judge.judge([case.claim], [[piece]])
        found.append(Outcome(case, letter(one.verdict), one.probabilities))
    return found


SETS: dict[str, Callable[[Namespace, Judge], dict[str, Any]]] = {
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
