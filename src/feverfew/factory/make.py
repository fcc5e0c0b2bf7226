"""Make a data set from a recipe: read pages, write claims, part them, prove, measure, describe.

What is slow is kept under the name of all that it depends on (the recipe, the corpus's content and
the factory's own files), so a stopped run goes on, and an unchanged one does nothing twice.
The same recipe and corpus give the same bytes, with any number of workers.
"""

import os
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b, sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.factory import export
from feverfew.factory.balance import draw_balanced
from feverfew.factory.card import write_card
from feverfew.factory.chains import draw_chains
from feverfew.factory.claims import Drafted
from feverfew.factory.draw import evidence_pages
from feverfew.factory.highlights import draw_highlight_claims
from feverfew.factory.measure import (
    Bias,
    Overlap,
    Statistics,
    measure_bias,
    overlaps,
    statistics,
    too_large,
)
from feverfew.factory.recipe import Recipe
from feverfew.factory.sources import (
    Elsewhere,
    corpus_path,
    popular_pages,
    read_subjects,
    without,
    write_whole,
)
from feverfew.factory.splits import SPLITS, part
from feverfew.rules.sampling import unit

Say = Callable[[str], None]


class Job(Struct, frozen=True):
    """A recipe at work: where from, where to, and with how many processes."""

    recipe: Recipe
    corpus: Path
    output: Path
    apart_from: tuple[Path, ...] = ()
    workers: int = 1

    @classmethod
    def of(
        cls, recipe: Recipe, path: Path, output: Path, corpus: Path | None, workers: int
    ) -> "Job":
        """Find what a recipe names: relative to the recipe, unless a corpus is given."""
        found = corpus or corpus_path(recipe.corpus, path.parent)
        apart = tuple(path.parent / name for name in recipe.sources.apart_from)
        return cls(recipe, found, output, apart, workers)


class Made(Struct, frozen=True, kw_only=True):
    """What was made: figures for people and for the card."""

    name: str
    kind: str
    corpus: str
    """The fingerprint of the corpus."""
    generator: str
    """The fingerprint of the factory."""
    seed: int
    pages: int
    subjects: int
    drafted: int
    discarded: int
    """Claims left out to balance dev and test."""
    splits: dict[str, Statistics]
    overlaps: list[Overlap]
    too_large: int
    """Claims of dev and test none of whose evidence sets fits the official limits."""
    operations: dict[str, int]
    types: dict[str, int]
    graphs: dict[str, int]
    bias: Bias
    alarms: list[str]


@cache
def generator_version() -> str:
    """Name the factory by the content of its files: another version may make other claims."""
    digest = blake2b(digest_size=8)
    folder = Path(str(files("feverfew.factory")))
    for path in sorted([*folder.glob("*.py"), *folder.glob("*.toml")]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def make(job: Job, say: Say = lambda text: None) -> Made:
    """Make a data set of claims; see `docs/guides/factory.md` for what is written."""
    recipe = job.recipe
    job.output.mkdir(parents=True, exist_ok=True)
    with Corpus.open(job.corpus) as corpus:
        drafted, pages, subjects = _drafted(job, corpus, say)
        if not drafted:
            raise InputError(
                f"{job.corpus}: no claim could be made; its pages state nothing that is understood"
            )
        parted = part(drafted, msgspec.structs.asdict(_shares(recipe)), recipe.seed)
        numbered = _numbered(parted, recipe.seed)
        say("writing files")
        _write(job, corpus, numbered)
        made = _measured(job, corpus, drafted, numbered, pages, subjects, say)
    write_whole(job.output / "report.json", msgspec.json.format(msgspec.json.encode(made)) + b"\n")
    write_card(job.output, recipe, made)
    _manifest(job.output)
    return made


class _Shares(Struct):
    train: float
    dev: float
    test: float


def _shares(recipe: Recipe) -> _Shares:
    return _Shares(recipe.splits.train, recipe.splits.dev, recipe.splits.test)


def _drafted(job: Job, corpus: Corpus, say: Say) -> tuple[list[Drafted], int, int]:
    """Return the claims, from the cache if nothing they depend on has changed."""
    recipe = job.recipe
    apart = evidence_pages(job.apart_from)
    settings = (
        recipe.kind,
        recipe.claims,
        recipe.seed,
        recipe.sources,
        recipe.hops,
        recipe.open_share,
    )
    pages = (recipe.sources.popular, recipe.sources.pages)
    read = job.output / ".cache" / f"pages-{_name(corpus, pages)}"
    kept = job.output / ".cache" / f"claims-{_name(corpus, settings, sorted(apart))}.msgpack"
    numbers = popular_pages(corpus, recipe.sources.popular, recipe.sources.pages)
    subjects = read_subjects(
        job.corpus,
        numbers,
        read,
        workers=job.workers,
        progress=lambda done, total: say(f"reading pages: {done} of {total} parts"),
    )
    subjects = without(subjects, apart)
    if kept.is_file():
        say("claims are kept from an earlier run")
        decoded = msgspec.msgpack.decode(kept.read_bytes(), type=list[Drafted])
        return decoded, len(numbers), len(subjects)
    say(f"writing {recipe.claims:,} claims about {len(subjects):,} pages")
    match recipe.kind:
        case "fever":
            drafted = list(
                draw_balanced(
                    subjects,
                    recipe.claims,
                    recipe.seed,
                    per_page=recipe.sources.per_page,
                    silent=Elsewhere(corpus).silent,
                )
            )
        case "hover":
            drafted = list(draw_chains(corpus, subjects, recipe.claims, recipe.seed, recipe.hops))
        case _:
            drafted = list(
                draw_highlight_claims(
                    corpus, numbers, subjects, recipe.claims, recipe.seed, recipe.open_share
                )
            )
    drafted.sort(key=lambda one: unit(recipe.seed, "order", one.text))
    write_whole(kept, msgspec.msgpack.encode(drafted))
    return drafted, len(numbers), len(subjects)


def _name(corpus: Corpus, *settings: object) -> str:
    said = msgspec.json.encode((corpus.fingerprint, generator_version(), settings))
    return blake2b(said, digest_size=8).hexdigest()


def _numbered(parted: dict[str, list[Drafted]], seed: int) -> dict[str, list[export.Numbered]]:
    """Number the claims in an order that tells nothing."""
    number, numbered = 0, {}
    for name in SPLITS:
        own = []
        for claim in sorted(parted[name], key=lambda one: unit(seed, "number", one.text)):
            number += 1
            own.append((number, claim))
        numbered[name] = own
    return numbered


def _write(job: Job, corpus: Corpus, numbered: dict[str, list[export.Numbered]]) -> None:
    kind, output = job.recipe.kind, job.output
    public: dict[str, Sequence[export.Numbered]] = {}
    for name, claims in numbered.items():
        if not claims:
            continue
        rows = export.official(claims, kind, corpus)
        traced = export.provenance(claims, kind, generator_version())
        hidden = name == "test" and job.recipe.splits.blind
        if hidden:
            gold = output / "blind"
            gold.mkdir(mode=0o700, exist_ok=True)
            for file, data in (("test.jsonl", rows), ("provenance.jsonl", traced)):
                export.write_lines(gold / file, data)
                os.chmod(gold / file, 0o600)
            rows = export.blind(row for row in rows if row["claim"])
        else:
            public[name] = claims
            export.write_lines(output / "provenance" / f"{name}.jsonl", traced)
        export.write_lines(output / "official" / f"{name}.jsonl", rows)
        export.write_parquet(
            output / "data" / f"{name}-00000-of-00001.parquet", claims, kind, blind=hidden
        )
    export.write_beir(output / "beir", public, kind, corpus)


def _measured(
    job: Job,
    corpus: Corpus,
    drafted: Sequence[Drafted],
    numbered: dict[str, list[export.Numbered]],
    pages: int,
    subjects: int,
    say: Say,
) -> Made:
    say("measuring")
    kind = job.recipe.kind
    splits = {
        name: [export.claim_of(number, made, kind) for number, made in own]
        for name, own in numbered.items()
    }
    everything = [claim for own in splits.values() for claim in own]
    kept = [made for own in numbered.values() for _, made in own]
    shared = overlaps(splits)
    measured = measure_bias(everything)
    alarms = list(measured.alarms)
    for one in shared:
        if one.claims or one.near_duplicates or one.groups:
            alarms.append(f"{one.one} and {one.other} are not apart")
    if len(drafted) < job.recipe.claims:
        alarms.append(f"the pages gave {len(drafted):,} claims, not {job.recipe.claims:,}")
    large = sum(too_large(claim) for name in ("dev", "test") for claim in splits[name])
    return Made(
        name=job.recipe.name,
        kind=kind,
        corpus=corpus.fingerprint,
        generator=generator_version(),
        seed=job.recipe.seed,
        pages=pages,
        subjects=subjects,
        drafted=len(drafted),
        discarded=len(drafted) - len(kept),
        splits={name: statistics(own) for name, own in splits.items()},
        overlaps=shared,
        too_large=large,
        operations=_counted(made.operation for made in kept),
        types=_counted(made.kind for made in kept),
        graphs=_counted(made.graph for made in kept),
        bias=measured,
        alarms=alarms,
    )


def _counted(names: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        if name:
            counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


def _manifest(output: Path) -> None:
    """Write the digest of every file, so that two runs can be compared by one look."""
    digests = {
        path.relative_to(output).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(output.rglob("*"))
        if path.is_file() and ".cache" not in path.parts and path.name != "manifest.json"
    }
    write_whole(output / "manifest.json", msgspec.json.format(msgspec.json.encode(digests)) + b"\n")
