"""Write a data set: the official files, Parquet as `datasets` loads it, and BEIR's form."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from feverfew.corpus import Corpus
from feverfew.errors import MissingExtra, NotFound
from feverfew.factory.claims import Drafted
from feverfew.factory.sources import write_whole
from feverfew.readers.claims import dump, spell_label
from feverfew.rules.context import context_of
from feverfew.types import Claim, Page

Numbered = tuple[int, Drafted]
_HEADER = {"id": "", "label": "", "claim": "", "evidence": [], "annotator_operations": [],
           "expected_challenge": "", "challenge": ""}  # fmt: skip
"""The first record of FEVEROUS's official files, which readers skip."""


def official(claims: Sequence[Numbered], kind: str, corpus: Corpus) -> list[dict[str, Any]]:
    """Return claims as the data set's own files have them."""
    rows = list(dump((claim_of(number, made, kind) for number, made in claims), kind))
    if kind == "feverous":
        pages = _Pages(corpus)
        for row in rows:
            for one in row["evidence"]:
                one["context"] = {ref: pages.context(ref) for ref in one["content"]}
            row["annotator_operations"] = [{"operation": "start", "value": "start", "time": "0"}]
        return [_HEADER, *rows]
    return rows


def claim_of(number: int, made: Drafted, kind: str) -> Claim:
    """Return a made claim as any reader would give it."""
    return Claim(
        id=number if kind != "hover" else f"made-{number}",
        text=made.text,
        label=made.label,
        evidence=made.evidence,
        hops=made.hops,
        challenge=made.challenge,
        group=made.group,
    )


class _Pages:
    """Pages by title, the last few of which are kept."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._kept: dict[str, Page] = {}

    def context(self, ref: str) -> list[str]:
        from feverfew.types import Ref

        parsed = Ref.parse(ref)
        if parsed.page not in self._kept:
            self._kept = {parsed.page: self._corpus.page(parsed.page)}
        return [str(one) for one in context_of(self._kept[parsed.page], parsed)]


def blind(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep of each record only what a blind test shows: its id and its claim."""
    return [{key: row[key] for key in ("id", "uid", "claim") if key in row} for row in rows]


def write_lines(path: Path, rows: Iterable[object]) -> None:
    """Write a JSON object a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def provenance(claims: Iterable[Numbered], kind: str, generator: str) -> list[dict[str, Any]]:
    """Say of each claim where it comes from: for inside use, as it gives labels away."""
    return [
        {
            "id": claim_of(number, made, kind).id,
            "page": made.page,
            "source": str(made.source),
            "operation": made.operation,
            "type": made.kind,
            "parent": made.parent,
            "changed": made.changed,
            "form": made.form,
            "graph": made.graph,
            "label": "by construction",
            "generator": generator,
        }
        for number, made in claims
    ]


def write_parquet(path: Path, claims: Sequence[Numbered], kind: str, *, blind: bool) -> None:
    """Write a split as one Parquet file with a flat schema, as `datasets.load_dataset` reads it."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        raise MissingExtra("writing Parquet", "factory") from None
    rows = [(str(claim_of(n, made, kind).id), made) for n, made in claims]
    columns: dict[str, Any] = {
        "id": pa.array([number for number, _ in rows], pa.string()),
        "claim": pa.array([made.text for _, made in rows], pa.string()),
    }
    if not blind:
        columns |= {
            "label": pa.array([spell_label(made.label, kind) for _, made in rows], pa.string()),
            "evidence": pa.array(
                [[[str(ref) for ref in one] for one in made.evidence] for _, made in rows],
                pa.list_(pa.list_(pa.string())),
            ),
            "num_hops": pa.array([made.hops for _, made in rows], pa.int32()),
            "challenge": pa.array([made.challenge for _, made in rows], pa.string()),
        }
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    pq.write_table(pa.table(columns), part, compression="zstd")
    part.replace(path)


def write_beir(
    folder: Path, splits: dict[str, Sequence[Numbered]], kind: str, corpus: Corpus
) -> None:
    """Write claims as queries and pages as documents; a page of an evidence set is relevant.

    The documents are the pages that claims were made from or rest on. A blind split is left out.
    """
    everything = [one for own in splits.values() for one in own]
    titles = {made.page for _, made in everything}
    titles |= {ref.page for _, made in everything for own in made.evidence for ref in own}
    documents = []
    for title in sorted(titles):
        try:
            page = corpus.page(title)
        except NotFound:
            continue
        text = " ".join(part for part in page.texts() if part)
        documents.append({"_id": title, "title": title, "text": text, "metadata": {}})
    write_lines(folder / "corpus.jsonl", documents)
    queries = (
        {"_id": str(claim_of(number, made, kind).id), "text": made.text, "metadata": {}}
        for number, made in everything
    )
    write_lines(folder / "queries.jsonl", queries)
    for name, own in splits.items():
        lines = ["query-id\tcorpus-id\tscore"]
        for number, made in own:
            pages = dict.fromkeys(ref.page for one in made.evidence for ref in one)
            lines += [f"{claim_of(number, made, kind).id}\t{page}\t1" for page in pages]
        (folder / "qrels").mkdir(parents=True, exist_ok=True)
        write_whole(folder / "qrels" / f"{name}.tsv", ("\n".join(lines) + "\n").encode())
