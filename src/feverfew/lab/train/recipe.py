"""Rebuild what is shipped, from the data folder to the model: `feverfew train all`.

The recipe (`recipe.toml`) holds every setting. Each stage writes into a folder of its own; a file
`done.json` in it holds a fingerprint of the stage's settings, its input files and the stages before
it. A stage whose fingerprint has not changed is skipped, so that a run can be stopped and resumed.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.errors import BadRecord, InputError
from feverfew.lab.train.contrast import WRITTEN, ContrastSource, contrast_pair, read_groups
from feverfew.lab.train.pairs import LABELS, UNKNOWN, Pair, PairSource, Source, read_pairs
from feverfew.models.inputs import linearise, plain
from feverfew.readers.files import open_bytes

__all__ = ["STAGES", "Recipe", "Stage", "run", "status"]

_DONE = "done.json"
_LONGEST = 720
"""Characters of claim and evidence: of longer pairs, what matters may be cut off."""
_DATA = ("contrast", "nli", "nli2", "fever")
"""Sources that lie in the data folder; the others are made by stages."""
_CONTRAST = ("contrast/*.gz", "written/*.gz")
_READ = (*LABELS, "X")


class Recipe(Struct, frozen=True):
    """All settings of a rebuild."""

    seed: int
    pairs: dict[str, int]
    reader: dict[str, Any]
    combination: dict[str, int]
    weights: dict[str, float]
    """How often each source is drawn from."""

    @classmethod
    def read(cls, path: Path | None = None) -> "Recipe":
        """Read a recipe, or the one that comes with feverfew."""
        source = path or Path(str(files("feverfew.lab.train") / "recipe.toml"))
        try:
            return msgspec.toml.decode(source.read_bytes(), type=cls)
        except (OSError, msgspec.MsgspecError) as error:
            raise InputError(f"{source} is not a recipe: {error}") from None


class Build(Struct, frozen=True):
    """What a stage works with."""

    recipe: Recipe
    data: Path
    output: Path
    threads: int | None = None

    def folder(self, stage: str) -> Path:
        """Return the folder of a stage."""
        return self.output / stage

    def corpus(self, name: str = "wiki") -> Path:
        """Return a corpus that a stage has built."""
        return self.folder(name) / "corpus"


class Stage(Struct, frozen=True):
    """A named step: what it does, and what its result depends on."""

    name: str
    make: Callable[[Build, Path], None]
    needs: tuple[str, ...] = ()
    """Stages before it."""
    inputs: tuple[str, ...] = ()
    """Files of the data folder, or of those that come with feverfew, as patterns."""
    settings: tuple[str, ...] = ()
    """Fields of the recipe."""

    def fingerprint(self, build: Build, before: dict[str, str]) -> str:
        """Identify all that the stage's result depends on."""
        digest = hashlib.blake2b(self.name.encode(), digest_size=16)
        settings = {name: getattr(build.recipe, name) for name in ("seed", *self.settings)}
        digest.update(msgspec.json.encode(settings, order="sorted"))
        for name in self.needs:
            digest.update(before[name].encode())
        for pattern in self.inputs:
            root = _root(build, pattern)
            found = sorted(root.glob(pattern))
            if not found:
                raise InputError(f"{root / pattern} is needed, and does not exist")
            for path in found:
                digest.update(path.relative_to(root).as_posix().encode())
                with path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "blake2b").digest())
        return digest.hexdigest()


def status(build: Build) -> Iterator[tuple[Stage, str, bool]]:
    """Yield every stage with its fingerprint, and whether its result is there already."""
    before: dict[str, str] = {}
    for stage in STAGES:
        before[stage.name] = stage.fingerprint(build, before)
        yield stage, before[stage.name], _done(build, stage) == before[stage.name]


def _done(build: Build, stage: Stage) -> str | None:
    path = build.folder(stage.name) / _DONE
    return msgspec.json.decode(path.read_bytes(), type=str) if path.is_file() else None


def run(build: Build, report: Callable[[str, str], None] = lambda stage, state: None) -> None:
    """Run every stage whose result is missing or out of date."""
    for stage, fingerprint, done in status(build):
        report(stage.name, "up to date" if done else "running")
        if done:
            continue
        folder = build.folder(stage.name)
        begun = folder / "begun.json"
        same = begun.is_file() and msgspec.json.decode(begun.read_bytes()) == fingerprint
        if folder.exists() and not same:
            shutil.rmtree(folder)  # made with other settings, or from other data
        folder.mkdir(parents=True, exist_ok=True)
        begun.write_bytes(msgspec.json.encode(fingerprint))
        stage.make(build, folder)
        (folder / _DONE).write_bytes(msgspec.json.encode(fingerprint))


def _write(path: Path, pairs: Iterable[Any]) -> None:
    with path.open("wb") as out:
        out.writelines(msgspec.json.encode(pair) + b"\n" for pair in pairs)


# --- stages ---------------------------------------------------------------------------------


def _wiki(build: Build, folder: Path) -> None:
    from feverfew.corpus.build import build as build_corpus

    build_corpus([build.data / "wiki/intros.jsonl.xz"], folder / "corpus")


def _both(build: Build, folder: Path) -> None:
    from feverfew.corpus.build import build as build_corpus

    sources = [build.data / "hover/pages.jsonl.gz", build.data / "wiki/intros.jsonl.xz"]
    build_corpus(sources, folder / "corpus")


def _mine(build: Build, folder: Path) -> None:
    from feverfew.lab.train.fever import claims_to_mine
    from feverfew.lab.train.mine import mine

    path = folder / "mined.jsonl"
    whole = path.read_bytes().rpartition(b"\n")[0] if path.is_file() else b""
    path.write_bytes(whole + b"\n" if whole else b"")
    claims = claims_to_mine(build.data)[len(whole.splitlines()) :]
    with path.open("ab") as out:
        for found in mine(claims, build.corpus()):
            out.write(msgspec.json.encode(found) + b"\n")


def _mined(build: Build) -> Iterator[Any]:
    from feverfew.lab.train.mine import Mined

    with open_bytes(build.folder("mine") / "mined.jsonl") as lines:
        yield from map(msgspec.json.Decoder(Mined).decode, lines)


def _pairs(build: Build, folder: Path) -> None:
    from feverfew.corpus import Corpus
    from feverfew.lab.train.fever import write_pairs

    with Corpus.open(build.corpus()) as corpus:
        write_pairs(build.data, corpus, _mined(build), folder, build.recipe.seed)


def _records(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        with open_bytes(path) as lines:
            yield from map(msgspec.json.decode, lines)


def _crowded(build: Build, folder: Path) -> None:
    from feverfew.lab.train.made_pairs import crowded

    for name in ("supported", "refuted", "open"):
        records = _records([build.folder("pairs") / f"{name}.jsonl"])
        _write(folder / f"{name}.jsonl", crowded(records, _mined(build), build.recipe.seed))


def _hover_pairs(build: Build, folder: Path) -> None:
    from feverfew.corpus import Corpus
    from feverfew.lab.train.made_pairs import hover_pairs

    with Corpus.open(build.corpus("both")) as corpus:
        pairs = hover_pairs(corpus, build.data / "hover/claims.jsonl.gz", build.recipe.seed)
        _write(folder / "hover.jsonl", pairs)


def _table_pairs(build: Build, folder: Path) -> None:
    from feverfew.lab.train.made_pairs import contrast_tables, table_pairs

    count = build.recipe.pairs["statements"]
    for name, pairs in table_pairs(build.data / "tables", count, build.recipe.seed).items():
        _write(folder / f"{name}.jsonl", pairs)
    groups = read_groups(build.data / "contrast/tables.jsonl.gz")
    _write(folder / "contrast.jsonl", contrast_tables(groups, build.recipe.seed))


def _synthetic(build: Build, folder: Path) -> None:
    from feverfew.corpus import Corpus
    from feverfew.factory.draw import evidence_pages
    from feverfew.lab.train.synthetic import synthetic_pairs

    kept = evidence_pages([build.data / "fever/dev.jsonl.gz"])
    count = build.recipe.pairs["synthetic"]
    with Corpus.open(build.corpus()) as corpus:
        pairs = synthetic_pairs(corpus, count, build.recipe.seed, kept)
        _write(folder / "synthetic.jsonl", pairs)


def _bounds(build: Build, folder: Path) -> None:
    import random

    from feverfew.lab.train.made_pairs import bounded_pairs

    sources = [build.folder("pairs") / f"{name}.jsonl" for name in ("supported", "relevant")]
    pairs = list(bounded_pairs(_records(sources), build.recipe.seed))
    random.Random(build.recipe.seed).shuffle(pairs)
    _write(folder / "bounds.jsonl", pairs[: build.recipe.pairs["bounds"]])


def _skills(build: Build, folder: Path) -> None:
    from feverfew.corpus import Corpus
    from feverfew.factory.draw import evidence_pages
    from feverfew.factory.skills import SKILLS, examples, page_texts

    settings, seed = build.recipe.pairs, build.recipe.seed
    kept = evidence_pages([build.data / "fever/dev.jsonl.gz"])
    with Corpus.open(build.corpus()) as corpus:
        pages = page_texts(corpus, seed, settings["skill_pages"], kept)
    for name in SKILLS:
        _write(folder / f"skill_{name}.jsonl", examples(name, pages, settings["skill"], seed))


def _table_skills(build: Build, folder: Path) -> None:
    import random

    from feverfew.factory.skills.tables import table_examples
    from feverfew.lab.train.tableclaims import wiki_grids

    grids = wiki_grids(build.data / "wiki/tables.jsonl.gz")
    random.Random(build.recipe.seed).shuffle(grids)
    some = grids[: build.recipe.pairs["skill_tables"]]
    _write(folder / "table.jsonl", table_examples(some, build.recipe.seed))


def _root(build: Build, name: str) -> Path:
    """Return where a source lies: most in the data folder, some come with feverfew."""
    return WRITTEN.parent if name.startswith("written/") else build.data


def sources(build: Build) -> list[PairSource]:
    """Open every source that the recipe names."""
    found: list[PairSource] = []
    for name, weight in build.recipe.weights.items():
        folder = name.partition("/")[0]
        if folder in ("contrast", "written"):
            groups = read_groups(_root(build, name) / f"{name}.jsonl.gz")
            found.append(ContrastSource(name, groups, weight))
            continue
        pairs: Iterable[Pair] = (
            _data_pairs(build.data / f"{name}.jsonl.gz")
            if folder in _DATA
            else read_pairs(build.output / f"{name}.jsonl")
        )
        found.append(Source(name, _short(pairs), weight, balanced=True))
    return found


def _short(pairs: Iterable[Pair]) -> list[Pair]:
    return [pair for pair in pairs if len(pair.claim) + len(pair.evidence) <= _LONGEST]


def _data_pairs(path: Path) -> Iterator[Pair]:
    """Read pairs as the data folder has them: evidence as `evidence`, or as `page` and `text`."""
    for number, row in enumerate(_records([path]), 1):
        if "text" in row:
            evidence = linearise([(row["page"], row["text"])])
        elif "evidence" in row:
            evidence = plain(row["evidence"])
        else:
            raise BadRecord("a pair needs evidence", path=str(path), line=number)
        label = row["label"][:1]
        if label in _READ:
            yield Pair(plain(row["claim"]), evidence, _READ.index(label), UNKNOWN)


def _held_out(build: Build) -> list[Pair]:
    """Make pairs of the groups that are held out, each claim in one form."""
    import random

    rng = random.Random(build.recipe.seed)
    return [
        contrast_pair(group, claim, rng)
        for form in ("passages", "tables")
        for group in read_groups(build.data / f"contrast/{form}.jsonl.gz", held_out=True)
        for claim in rng.sample(group["claims"], min(2, len(group["claims"])))
    ]


def _reader(build: Build, folder: Path) -> None:
    from feverfew.lab.train.encoder import Verifier
    from feverfew.lab.train.loop import Settings, train
    from feverfew.lab.train.starts import starting_weights

    given = dict(build.recipe.reader)
    start, layers = given.pop("start"), given.pop("layers", None)
    one_head = given.pop("one_head", False)
    settings = Settings(**given, seed=build.recipe.seed)
    weights = starting_weights(start, folder / "start")
    model = Verifier.start(weights, settings.seed, layers=layers, one_head=one_head)
    train(model, sources(build), _held_out(build), settings, folder, weights, threads=build.threads)


def _export(build: Build, folder: Path) -> None:
    """Put the new reader into a copy of the shipped model, whose small encoder stays."""
    from feverfew.judge.judge import LARGE
    from feverfew.lab.train.encoder import Verifier
    from feverfew.lab.train.export import export
    from feverfew.models.encoder import shipped_folder

    model, best = folder / "model", build.folder("reader") / "best"
    shutil.copytree(shipped_folder(), model, dirs_exist_ok=True)
    export(Verifier.start(best, seed=0), best, model / LARGE)


def _combination(build: Build, folder: Path) -> None:
    from feverfew.corpus import Corpus
    from feverfew.judge import Judge
    from feverfew.judge.combine import FILE
    from feverfew.lab.train.combination import collect, write, write_even

    model = folder / "model"
    shutil.copytree(build.folder("export") / "model", model, dirs_exist_ok=True)
    write_even(model / FILE)
    judge = Judge.open(model, build.threads)
    most, seed = build.recipe.combination["claims"], build.recipe.seed
    with Corpus.open(build.corpus()) as wiki, Corpus.open(build.corpus("both")) as both:
        examples = list(collect(judge, build.data, wiki, both, most=most, seed=seed))
    write(examples, model / FILE)


STAGES = (
    Stage("wiki", _wiki, inputs=("wiki/intros.jsonl.xz",)),
    Stage("both", _both, inputs=("wiki/intros.jsonl.xz", "hover/pages.jsonl.gz")),
    Stage("mine", _mine, ("wiki",), ("fever/*.jsonl.gz", "nli/fever_train*.jsonl.gz")),
    Stage("pairs", _pairs, ("wiki", "mine"), ("fever/*.gz", "nli/*.gz", "feverous/*.gz")),
    Stage("crowded", _crowded, ("pairs", "mine")),
    Stage("hover_pairs", _hover_pairs, ("both",), ("hover/claims.jsonl.gz",)),
    Stage(
        "table_pairs",
        _table_pairs,
        (),
        ("tables/*.jsonl.gz", "contrast/tables.jsonl.gz"),
        ("pairs",),
    ),
    Stage("synthetic", _synthetic, ("wiki",), ("fever/dev.jsonl.gz",), ("pairs",)),
    Stage("bounds", _bounds, ("pairs",), (), ("pairs",)),
    Stage("skills", _skills, ("wiki",), ("fever/dev.jsonl.gz",), ("pairs",)),
    Stage("table_skills", _table_skills, (), ("wiki/tables.jsonl.gz",), ("pairs",)),
    Stage(
        "reader",
        _reader,
        (
            *("pairs", "crowded", "hover_pairs", "table_pairs"),
            *("synthetic", "bounds", "skills", "table_skills"),
        ),
        (*_CONTRAST, "nli/*.gz", "nli2/*.gz", "fever/train_pairs.jsonl.gz"),
        ("reader", "weights"),
    ),
    Stage("export", _export, ("reader",)),
    Stage(
        "combination",
        _combination,
        ("export", "wiki", "both"),
        (*_CONTRAST, "fever/dev.jsonl.gz", "hover/claims.jsonl.gz", "tables/*.jsonl.gz"),
        ("combination",),
    ),
)
"""All stages, in order; the last one holds the model."""
