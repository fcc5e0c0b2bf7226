"""Describe a made data set: a card in Markdown, and Croissant's JSON-LD; every figure computed."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from feverfew.factory.recipe import Recipe
from feverfew.factory.sources import write_whole

if TYPE_CHECKING:
    from feverfew.factory.make import Made

_TASKS = {"fever": "fact-checking", "feverous": "fact-checking", "hover": "fact-checking"}
_MAKING = (
    "Claims were written by a program from statements that pages make of their subjects, and"
    " labelled by construction: with the value that the page states, with another subject's value,"
    " and, about a page that is silent, with any value. No person wrote or labelled a claim."
)
_LIMITS = (
    "The claims are plain and follow a fixed set of sentence forms. Labels hold for the given"
    " pages: an open claim may be settled by other sources. A label is wrong where a page was"
    " misread or where a value that is taken to be single is not."
)
_CONTEXT: dict[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/", "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs", "column": "cr:column", "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn", "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract",
    "field": "cr:field", "fileObject": "cr:fileObject", "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes",
    "isArray": "cr:isArray", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
    "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/", "recordSet": "cr:recordSet",
    "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
    "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/",
    "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField",
    "transform": "cr:transform",
}  # fmt: skip


def write_card(output: Path, recipe: Recipe, made: "Made") -> None:
    """Write README.md and croissant.json into a data set's folder."""
    write_whole(output / "README.md", markdown(recipe, made).encode())
    document = msgspec.json.format(msgspec.json.encode(croissant(output, recipe, made)))
    write_whole(output / "croissant.json", document + b"\n")


def markdown(recipe: Recipe, made: "Made") -> str:
    """Write the card that a data set's folder opens with."""
    return "\n".join([*_header(recipe, made), *_body(recipe, made)]) + "\n"


def _header(recipe: Recipe, made: "Made") -> Iterator[str]:
    total = sum(own.claims for own in made.splits.values())
    size = next(s for n, s in _SIZES if total < n)
    yield from ("---", f"pretty_name: {_quoted(recipe.card.title or recipe.name)}")
    yield from (f"license: {recipe.card.licence}", f"language: [{recipe.card.language}]")
    yield from ("task_categories: [text-classification]", f"task_ids: [{_TASKS[made.kind]}]")
    yield from (f"size_categories: [{size}]", "annotations_creators: [machine-generated]")
    yield from ("language_creators: [machine-generated]", "configs:", "- config_name: default")
    yield "  data_files:"
    for name, own in made.splits.items():
        if own.claims:
            yield from (f"  - split: {name}", f"    path: data/{name}-*.parquet")
    yield "---"


_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**9, "100K<n<1M"))


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()


def _body(recipe: Recipe, made: "Made") -> Iterator[str]:
    yield from ("", f"# {recipe.card.title or recipe.name}", "")
    if recipe.card.description:
        yield from (recipe.card.description, "")
    yield from (_MAKING, "", "## What it holds", "")
    labels = sorted({label for own in made.splits.values() for label in own.labels})
    yield from _table(
        ("split", "claims", *labels, "words a claim", "elements a set", "several pages"),
        [
            (name, own.claims, *(own.labels.get(label, 0) for label in labels), f"{own.tokens:.1f}",
             f"{own.elements:.2f}", f"{own.several_pages:.1%}")
            for name, own in made.splits.items() if own.claims
        ],
    )  # fmt: skip
    for heading, counts in (
        ("How claims were made", made.operations),
        ("Claim types", made.types),
        ("Graphs of their pages", made.graphs),
    ):
        if counts:
            yield from ("", f"### {heading}", "")
            yield from _table((heading.lower(), "claims"), list(counts.items()))
    yield from ("", "## Are the splits apart?", "")
    yield from _table(
        ("splits", "same claims", "near duplicates", "same groups", "evidence pages in both"),
        [
            (
                f"{one.one}, {one.other}",
                one.claims,
                one.near_duplicates,
                one.groups,
                one.evidence_pages,
            )
            for one in made.overlaps
        ],
    )
    yield from (
        "",
        "A group is the page, highlight or question that claims were made from. Evidence",
        "pages may be shared.",
        "",
    )
    yield f"{made.discarded:,} claims were left out to balance dev and test; there,"
    yield f"{made.too_large:,} claims have no evidence set within the official limits."
    yield from ("", "## What claims give away", "")
    bias = made.bias
    if bias.claim_only is None:
        yield f"Not measured: {bias.note}."
    else:
        yield f"A model that sees claims alone is right on {bias.claim_only:.1%}; always saying the"
        yield f"most frequent label on {bias.majority:.1%}."
    yield from ("", *_table(("label", "negated claims", "words that go with it (nPMI)"), [
        (label, f"{bias.negated[label]:.1%}", ", ".join(f"{w} {n:.2f}" for w, n in own) or "none")
        for label, own in bias.words.items()
    ]), "")  # fmt: skip
    if bias.positions:
        yield from _table(("evidence position", "label", "nPMI"), bias.positions)
        yield ""
    yield "Alarms: " + ("none." if not made.alarms else "")
    yield from (f"- {alarm}" for alarm in made.alarms)
    yield from ("", "## Where it comes from", "")
    source = recipe.card.source or "not stated"
    yield f"- Pages: {source}; corpus `{made.corpus}`, {made.pages:,} pages looked at."
    yield f"- Generator: feverfew factory `{made.generator}`, seed {made.seed}."
    yield "- `recipe.toml` makes it again, to the byte."
    yield f"- Licence: {recipe.card.licence}."
    yield from ("", "## Limits", "", _LIMITS)


def _table(head: tuple[str, ...], rows: list[Any]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(f'{v:,}' if isinstance(v, int) else str(v) for v in row)} |"


def croissant(output: Path, recipe: Recipe, made: "Made") -> dict[str, Any]:
    """Return the data set's description in Croissant 1.0, with responsible-AI fields."""
    files = sorted((output / "data").glob("*.parquet"))
    card = recipe.card
    document: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.0",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "name": recipe.name,
        "description": card.description or card.title or recipe.name,
        "license": card.licence,
        "url": card.url,
        "version": card.version,
        "datePublished": card.published or "1970-01-01",
        "inLanguage": card.language,
        "isLiveDataset": False,
        "citeAs": f"{card.title or recipe.name}, version {card.version}",
        "creator": [{"@type": "sc:Organization", "name": name} for name in card.creators],
        "rai:dataCollection": _MAKING,
        "rai:dataCollectionType": "Software Collection",
        "rai:dataCollectionRawData": card.source or "not stated",
        "rai:dataAnnotationProtocol": "Labels follow by construction; no person annotated.",
        "rai:dataLimitations": _LIMITS,
        "rai:dataBiases": _biases(made),
        "rai:dataUseCases": "Training and testing systems that verify claims against pages.",
        "rai:personalSensitiveInformation": "Names and dates of people, as in the pages.",
        "distribution": [_file(path, output) for path in files],
        "recordSet": [_records(path) for path in files],
    }
    return document


def _biases(made: "Made") -> str:
    bias = made.bias
    if bias.claim_only is None:
        return f"Not measured: {bias.note}"
    return (
        f"A model that sees claims alone is right on {bias.claim_only:.1%}, the majority on "
        f"{bias.majority:.1%}. Alarms: {'; '.join(made.alarms) or 'none'}."
    )


def _file(path: Path, output: Path) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": path.relative_to(output).as_posix(),
        "encodingFormat": "application/x-parquet",
        "sha256": sha256(path.read_bytes()).hexdigest(),
    }


def _records(path: Path) -> dict[str, Any]:
    split = path.name.split("-")[0]
    import pyarrow.parquet as pq

    columns = pq.read_schema(path).names
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{split}/{column}",
                "name": column,
                "dataType": "sc:Integer" if column == "num_hops" else "sc:Text",
                **({"repeated": True} if column == "evidence" else {}),
                "source": {"fileObject": {"@id": path.name}, "extract": {"column": column}},
            }
            for column in columns
        ],
    }
