"""Check any data set in FEVER's, FEVEROUS's or HoVer's form: its claims, evidence and splits."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.factory.measure import Overlap, Statistics, overlaps, statistics, too_large
from feverfew.readers.claims import format_of, read_claims
from feverfew.rules.requirements import check_claim
from feverfew.text import words
from feverfew.types import Claim, Kind, Page, Ref, Verdict

_SHOWN = 3
FORMATS = ("fever", "feverous", "hover")
_MOST_SETS = 3
"""Evidence sets of a claim of FEVEROUS."""


class Problem(Struct, frozen=True):
    """One kind of thing that is wrong or odd, with how often and where."""

    severity: str
    """error: the data set is not sound; warning: look at it."""
    name: str
    means: str
    file: str
    count: int
    examples: tuple[str, ...]


class Checked(Struct, frozen=True, kw_only=True):
    """What was found in a data set."""

    format: str
    files: dict[str, Statistics]
    problems: list[Problem]
    overlaps: list[Overlap]
    corpus: str = ""
    """The fingerprint of the corpus that evidence was looked up in; empty if there was none."""

    @property
    def sound(self) -> bool:
        return not any(problem.severity == "error" for problem in self.problems)


def data_files(paths: Sequence[Path]) -> list[Path]:
    """Find the claim files: those that are named, and those of a folder that was made."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        folder = path / "official" if (path / "official").is_dir() else path
        inside = [file for file in sorted(folder.iterdir()) if ".json" in file.name]
        blind = path / "blind" / "test.jsonl"
        inside = [
            blind if blind.is_file() and file.name == "test.jsonl" else file for file in inside
        ]
        if not inside:
            raise InputError(f"{path}: no claim files; expected *.jsonl, or official/*.jsonl")
        found += inside
    return found


def check(paths: Sequence[Path], corpus: Corpus | None = None, *, splits: bool = True) -> Checked:
    """Check files of claims, each a split of one data set."""
    files = data_files(paths)
    formats = {path: format_of(path) for path in files}
    named = sorted(set(formats.values()))
    if len(named) > 1 or named[0] not in FORMATS:
        listed = ", ".join(f"{path.name} is {name}" for path, name in formats.items())
        raise InputError(f"expected files of one format, of {', '.join(FORMATS)}: {listed}")
    kind = named[0]
    claims = {_name(path, files): list(read_claims(path, kind)) for path in files}
    problems = [p for name, own in claims.items() for p in _problems(name, own, kind, corpus)]
    shared = overlaps(claims) if splits and len(claims) > 1 else []
    problems += _leaks(shared)
    return Checked(
        format=kind,
        files={name: statistics(own) for name, own in claims.items()},
        problems=sorted(problems, key=lambda p: (p.severity, p.file, p.name)),
        overlaps=shared,
        corpus=corpus.fingerprint if corpus else "",
    )


def _name(path: Path, files: Sequence[Path]) -> str:
    same = [other for other in files if other.name == path.name]
    return path.name if len(same) == 1 else str(path)


_Found = Iterator[tuple[str, Claim, str]]


def _problems(
    file: str, claims: Sequence[Claim], kind: str, corpus: Corpus | None
) -> Iterator[Problem]:
    """Gather what the checks find, each kind once with examples."""
    found: dict[str, list[str]] = defaultdict(list)
    checks: list[Callable[[], _Found]] = [
        lambda: _twice(claims),
        lambda: _evidence(claims, kind),
        lambda: _requirements(claims, kind),
        lambda: _dangling(claims, corpus) if corpus else iter(()),
    ]
    for run in checks:
        for name, claim, detail in run():
            found[name].append(f"{claim.id}: {detail}")
    for name, several in found.items():
        severity, means = _MEANINGS.get(
            name, ("warning", "a requirement that the papers gave writers")
        )
        yield Problem(severity, name, means, file, len(several), tuple(several[:_SHOWN]))


_MEANINGS = {
    "duplicate-id": ("error", "two claims have one id"),
    "duplicate-claim": ("warning", "the same claim stands twice"),
    "conflicting-labels": ("error", "the same claim has two labels"),
    "no-evidence": ("error", "a settled claim has no evidence"),
    "open-without-evidence": ("warning", "FEVEROUS asks for evidence of open claims too"),
    "too-many-sets": ("warning", "FEVEROUS has three evidence sets at most"),
    "same-set-twice": ("warning", "one evidence set stands twice"),
    "beyond-limits": ("warning", "no evidence set fits 5 sentences and 25 other elements"),
    "hops": ("warning", "the number of hops is not that of the supporting pages"),
    "missing-page": ("error", "evidence lies on a page that the corpus does not hold"),
    "missing-element": ("error", "evidence names an element that its page does not have"),
}


def _twice(claims: Sequence[Claim]) -> _Found:
    ids = Counter(claim.id for claim in claims)
    seen: dict[tuple[str, ...], Claim] = {}
    for claim in claims:
        if ids[claim.id] > 1:
            yield "duplicate-id", claim, claim.text
        key = tuple(words(claim.text))
        first = seen.setdefault(key, claim)
        if first is not claim:
            name = "duplicate-claim" if first.label == claim.label else "conflicting-labels"
            yield name, claim, f"{claim.text} (also {first.id})"


def _evidence(claims: Sequence[Claim], kind: str) -> _Found:
    for claim in claims:
        settled = claim.label in (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_SUPPORTED)
        if settled and not claim.evidence:
            yield "no-evidence", claim, claim.text
        if kind == "feverous" and claim.label is Verdict.NOT_ENOUGH_INFO and not claim.evidence:
            yield "open-without-evidence", claim, claim.text
        if kind == "feverous" and len(claim.evidence) > _MOST_SETS:
            yield "too-many-sets", claim, f"{len(claim.evidence)} sets"
        sets = [frozenset(one) for one in claim.evidence]
        if len(set(sets)) < len(sets):
            yield "same-set-twice", claim, claim.text
        if too_large(claim):
            yield "beyond-limits", claim, f"the smallest set has {min(map(len, sets))} elements"
        pages = {ref.page for one in claim.evidence for ref in one}
        if kind == "hover" and claim.hops is not None and pages and len(pages) != claim.hops:
            yield "hops", claim, f"{claim.hops} hops, {len(pages)} pages"


def _requirements(claims: Sequence[Claim], kind: str) -> _Found:
    for claim in claims:
        for hit in check_claim(claim.text, kind):
            yield hit.rule, claim, f"{claim.text} ({hit.message})"


def _dangling(claims: Sequence[Claim], corpus: Corpus) -> _Found:
    """Look every element of the evidence up, page by page."""
    wanted: dict[str, list[tuple[Claim, Ref]]] = defaultdict(list)
    for claim in claims:
        for ref in dict.fromkeys(ref for one in claim.evidence for ref in one):
            wanted[ref.page].append((claim, ref))
    for title, several in sorted(wanted.items()):
        number = corpus.number(title)
        page = corpus.store.page(number) if number is not None else None
        if page is None:
            yield from (("missing-page", claim, str(ref)) for claim, ref in several)
            continue
        known = _elements(page)
        for claim, ref in several:
            if (ref.kind, ref.position) not in known:
                yield "missing-element", claim, str(ref)


def _elements(page: Page) -> set[tuple[Kind, tuple[int, ...]]]:
    return {(ref.kind, ref.position) for ref, _ in page.elements()}


def _leaks(shared: Iterable[Overlap]) -> Iterator[Problem]:
    for one in shared:
        where = f"{one.one}, {one.other}"
        if one.claims:
            yield Problem(
                "error", "shared-claims", "two splits share claims", where, one.claims, ()
            )
        if one.groups:
            means = "two splits share questions or pages that claims were made from"
            yield Problem("error", "shared-groups", means, where, one.groups, ())
        if one.near_duplicates:
            means = "claims of two splits are almost the same"
            yield Problem(
                "warning", "near-duplicates", means, where, one.near_duplicates, one.examples
            )
