"""Turn measured figures into the tables and plots of docs/performance.md.

    python benchmarks/tables.py

Text between `<!-- begin NAME -->` and `<!-- end NAME -->` is replaced; all else stays.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from chain_tables import chain_parts
from doc_plots import plots
from serve_musts import serve_rows
from table_search_parts import search_parts, search_rows
from verdict_tables import verdict_parts, verdict_rows

__all__ = ["print_musts", "write_docs"]

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "performance.md"
PLOTS = ROOT / "docs" / "plots"

NAMES = {
    "ranked": "feverfew `Ranked`",
    "hops": "feverfew `Hops`",
    "lexical": "feverfew `Lexical`",
    "titles": "feverfew `Titles`",
    "feverfew": "feverfew",
    "bm25s": "bm25s, numba",
    "bm25s-scipy": "bm25s, scipy",
    "bm25s-stemmed": "bm25s, numba, stemmer",
    "fts5": "SQLite FTS5",
    "exact-titles": "titles by exact match",
    "interleaved": "exact titles and bm25s, interleaved",
}


class Figures(Struct, frozen=True):
    """What has been measured so far; None where a script has not run yet."""

    corpus: dict[str, Any] | None
    scale: dict[str, Any] | None
    shape: dict[str, Any] | None
    check: dict[str, Any] | None
    hops: dict[str, Any] | None
    table_reasoning: dict[str, Any] | None
    table_verdicts: dict[str, Any] | None
    serve: dict[str, Any] | None
    table_search: dict[str, Any] | None
    chains: dict[str, Any] | None
    order: dict[str, Any] | None
    foreign: dict[str, Any] | None

    @classmethod
    def read(cls) -> "Figures":
        """Read every result file that exists."""
        files = (RESULTS / f"{name}.json" for name in cls.__struct_fields__)
        return cls(*(msgspec.json.decode(f.read_bytes()) if f.exists() else None for f in files))


def print_musts(musts: Iterable[dict[str, Any]]) -> None:
    """Print what must be reached, what was measured, and whether it is met."""
    for must in musts:
        met = "met" if must["met"] else "NOT MET"
        print(f"{must['what']:<58}{must['measured']:>22}{must['bound']:>14}   {met}")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table; the first column is words, the others are numbers."""
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ruler, *rows))


def _musts(musts: Iterable[dict[str, Any]]) -> str:
    return table(
        ("must reach", "bound", "measured", ""),
        (
            (must["what"], must["bound"], must["measured"], "met" if must["met"] else "**not met**")
            for must in musts
        ),
    )


def _system(system: dict[str, Any]) -> str:
    packages = ", ".join(f"{name} {found}" for name, found in system["packages"].items())
    return (
        f"{system['processor']}, {system['cores']} cores, {system['memory'] / 2**30:.0f} GiB, "
        f"Linux {system['kernel']}, Python {system['python']}; {packages}. "
        f"Load before the run: {system['load_before']}."
    )


def _builds(corpus: dict[str, Any]) -> str:
    ours = corpus["builds"]["feverfew"]
    return table(
        ("build", "seconds", "× ours", "processor s", "peak private MB", "× ours",
         "anonymous MB", "on disk MB"),
        (
            (
                NAMES[name].replace(", numba", ""),
                f"{b['seconds']:.1f}",
                f"{b['seconds'] / ours['seconds']:.2f}",
                f"{b['cpu']:.1f}",
                f"{b['peak_private'] / 1e6:,.0f}",
                f"{b['peak_private'] / ours['peak_private']:.2f}",
                f"{b['peak_anonymous'] / 1e6:,.0f}",
                f"{b['disk'] / 1e6:,.0f}",
            )
            for name, b in corpus["builds"].items()
        ),
    )  # fmt: skip


def _recall(corpus: dict[str, Any]) -> str:
    parts = []
    for name, part in corpus["recall"].items():
        head = f"{name} ({part['claims']:,} claims)"
        rows = (
            (_asked(corpus, system), *(_interval(recall[k]) for k in ("5", "10", "20")))
            for system, recall in part["systems"].items()
        )
        parts.append(table((head, "top 5, %", "top 10, %", "top 20, %"), rows))
    return "\n\n".join(parts)


def _asked(corpus: dict[str, Any], system: str) -> str:
    """Name a system, and say so where it was asked only some of the claims."""
    every = corpus["latency"]["ranked"]["answers"]
    count = corpus["latency"].get(system, {}).get("answers", every)
    return NAMES[system] if count == every else f"{NAMES[system]} (the first {count:,} claims)"


def _interval(recall: dict[str, float]) -> str:
    low, high = 100 * recall["low"], 100 * recall["high"]
    return f"{100 * recall['value']:.1f} ({low:.1f}–{high:.1f})"


def _latency(corpus: dict[str, Any]) -> str:
    ours = corpus["latency"]["ranked"]["p50"]
    return table(
        ("one claim at a time", "p50 ms", "p95 ms", "mean ms", "p50 × ours", "private MB"),
        (
            (
                _asked(corpus, name),
                *(f"{found[figure]:.2f}" for figure in ("p50", "p95", "mean")),
                f"{found['p50'] / ours:.2f}",
                f"{found['peak_private'] / 1e6:,.0f}",
            )
            for name, found in corpus["latency"].items()
        ),
    )


def _batch(corpus: dict[str, Any]) -> str:
    found = corpus["batch"]
    return table(
        ("all claims at once", "one worker, claims/s", "two workers, claims/s", "ratio"),
        (
            (NAMES[name], f"{one:,.0f}", f"{two:,.0f}", f"{two / one:.2f}")
            for name in ("ranked", "bm25s")
            for one, two in [(found[f"{name} 1"], found[f"{name} 2"])]
        ),
    )


def _start(corpus: dict[str, Any]) -> str:
    return table(
        ("a fresh process, median of 10", "seconds"),
        ((name, f"{seconds:.3f}") for name, seconds in corpus["start"].items()),
    )


def _scale(scale: dict[str, Any]) -> str:
    rows = {
        "pages": lambda s: f"{s['pages']:,}",
        "source, GB": lambda s: f"{s['source'] / 1e9:.2f}",
        "build, s": lambda s: f"{s['seconds']:,.0f}",
        "pages a second": lambda s: f"{s['rate']:,.0f}",
        "processor, s": lambda s: f"{s['cpu']:,.0f}",
        "peak private memory, MB": lambda s: f"{s['peak_private'] / 1e6:,.0f}",
        "of it anonymous, at its peak, MB": lambda s: f"{s['peak_anonymous'] / 1e6:,.0f}",
        "corpus on disk, GB": lambda s: f"{s['disk'] / 1e9:.2f}",
        "bytes a page on disk": lambda s: f"{s['disk'] / s['pages']:,.0f}",
        "opening, ms": lambda s: f"{1e3 * s['open']:.0f}",
        "p50 of a claim, ms": lambda s: f"{s['p50']:.2f}",
        "p95 of a claim, ms": lambda s: f"{s['p95']:.2f}",
        "private memory when asked, MB": lambda s: f"{s['peak_private_asking'] / 1e6:,.0f}",
        "right page first, %": lambda s: f"{100 * s['recall@1']:.1f}",
        "right page in the top 5, %": lambda s: f"{100 * s['recall@5']:.1f}",
    }
    made = [(name, *map(written, scale["sizes"])) for name, written in rows.items()]
    return table(made[0], made[1:])


def _shape(shape: dict[str, Any]) -> str:
    real, made = shape["real"], shape["made up"]
    return table(
        (f"first {real['pages']:,} pages", "wiki/intros", "made up"),
        (
            (name, *(f"{v:,.0f}" if v >= 1000 else f"{v:.3g}" for v in (real[name], made[name])))
            for name in real
            if name != "pages"
        ),
    )


_CHECKED = {
    "top_5_sentences": "complete gold set in the top 5 sentences, %",
    "with_gold": "label accuracy with gold evidence, open claims with the five found, %",
    "with_gold_alike": "the same, open claims with as many pieces as gold sets have, %",
    "label_accuracy": "label accuracy, whole pipeline, %",
    "fever_score": "FEVER score, %",
}


def _checked(check: dict[str, Any]) -> str:
    parts = [check["all"], check["full_pages"]]
    names = zip(("all", "`full_pages`"), parts, strict=True)
    head = ("", *(f"{name} ({part['claims']:,} claims)" for name, part in names))
    rows = [
        (said, *(_interval(p[name]) if name in p else "not measured" for p in parts))
        for name, said in _CHECKED.items()
    ]
    rows.append(("calibration error (ECE)", *(f"{p['ece']:.3f}" for p in parts)))
    labels = ("SUPPORTED", "REFUTED", "NOT ENOUGH INFO")
    said = table(
        ("gold label: what was said", *labels),
        ((gold, *(f"{check['all']['confusion'][gold][label]:,}" for label in labels))
         for gold in labels),
    )  # fmt: skip
    return f"{table(head, rows)}\n\n{said}"


def _foreign(sets: dict[str, dict[str, Any]]) -> str:
    """Tabulate foreign sets, with what share of each label is judged rightly."""
    names = {"S": "supported", "R": "refuted", "N": "open", "X": "not supported"}
    rows = []
    for name, part in sets.items():
        by_label = (
            f"{names[label]} {100 * share:.0f}" for label, share in part["by_label"].items()
        )
        value = {"value": part["accuracy"], "low": part["low"], "high": part["high"]}
        rows.append((name, f"{part['pairs']:,}", _interval(value), ", ".join(by_label)))
    return table(("pairs of", "pairs", "right, %", "by label, %"), rows)


def _check_speed(check: dict[str, Any]) -> str:
    timed, plain = check["timed"], check.get("plain")
    rows = [
        ("one claim at a time, p50", f"{timed['p50']:.0f} ms"),
        ("one claim at a time, p95", f"{timed['p95']:.0f} ms"),
        ("`feverfew verify`, claims a second", f"{check['verify']['claims_a_second']:.1f}"),
        ("cold `feverfew check`", f"{check['cold']['seconds']:.2f} s"),
        ("private memory, corpus and model open", f"{check['private'] / 1e6:,.0f} MB"),
    ]
    if plain:
        rows += [
            (f"{name}, claims a second", f"{part['claims_a_second']:.1f}")
            for name, part in (("the plain way", plain["plain"]), ("ours", plain["feverfew"]))
        ]
        rows += [
            (f"{name}, FEVER score on the same claims", f"{100 * part['fever_score']:.1f} %")
            for name, part in (("the plain way", plain["plain"]), ("ours", plain["feverfew"]))
        ]
    return table(("what", "measured"), rows)


def _hops(hops: dict[str, Any]) -> str:
    parts = []
    for pages, slice_ in hops["recall"].items():
        claims = f"{pages} pages ({slice_['claims']} claims of {slice_['questions']} questions)"
        depths = list(slice_["systems"]["hops"])
        rows = (
            (NAMES[name], *(_interval(found[k]) for k in depths))
            for name, found in slice_["systems"].items()
        )
        parts.append(table((claims, *(f"top {k}, %" for k in depths)), rows))
    return "\n\n".join(parts)


def _hops_time(hops: dict[str, Any]) -> str:
    return table(
        ("finding the pages, ms", *(f"{n} pages, p50" for n in hops["recall"]), "4, p95"),
        (
            (
                NAMES[name],
                *(f"{found[n]['clock']['p50']:.0f}" for n in hops["recall"]),
                f"{found['4']['clock']['p95']:.0f}",
            )
            for name, found in hops["seconds"].items()
        ),
    )


def _reasoning(found: dict[str, Any]) -> str:
    said, cells, searched = found["statements"], found["cells"], found["found"]
    among = f"right table in the top 3 of {searched['tables']:,}"
    parts = [
        (f"TabFact, {said['statements']:,} statements, right, %", said["systems"] | said["slices"]),
        (f"FeTaQA, {cells['sentences']:,} sentences, cells within 25, %", cells["systems"]),
    ]
    parts += [
        (f"{name}, {part['claims']:,} claims, {among}, %", part["systems"])
        for name, part in searched["sets"].items()
    ]
    made = [
        table((head, "measured"), ((name, _interval(own)) for name, own in systems.items()))
        for head, systems in parts
    ]
    speed = found["speed"]
    rows = [
        ("a claim over a table of TabFact, ms", f"{said['milliseconds']:.1f}"),
        (f"1,000 × 40: {speed['programs']} programs run, ms", f"{speed['run_ms']:.1f}"),
        ("1,000 × 40: linked, built, run and described, ms", f"{speed['claim_ms']:.1f}"),
        ("1,000 × 40: the same with reading the table, once, ms", f"{speed['first_ms']:.0f}"),
        ("choosing 25 cells, ms", f"{cells['milliseconds']:.1f}"),
        ("calibration error (ECE) of TabFact's answers", f"{said['ece']:.3f}"),
    ]
    return "\n\n".join([*made, table(("one core", "measured"), rows)])


def _verdicts(found: dict[str, Any]) -> str:
    made = [
        table((head, "measured"), ((name, _interval(own)) for name, own in systems.items()))
        for head, systems in verdict_parts(found)
    ]
    return "\n\n".join([*made, table(("", "measured"), verdict_rows(found))])


_SCALE_PLOTS = (
    ("scale-rate", "Pages built a second, by size"),
    ("scale-memory", "Peak private memory of the build, by size"),
    ("scale-p50", "Median time of a claim, by size"),
)


def _image(name: str, said: str) -> str:
    return f"![{said}](plots/{name}.svg)"


def write_docs() -> None:
    """Renew every table and plot for which there are figures."""
    figures = Figures.read()
    made: dict[str, str] = {}
    if corpus := figures.corpus:
        made |= {
            "corpus system": _system(corpus["system"]),
            "corpus musts": _musts(corpus["musts"]),
            "builds": _builds(corpus),
            "recall": f"{_image('recall', 'Recall at 5 of every system')}\n\n{_recall(corpus)}",
            "latency": _latency(corpus),
            "batch": _batch(corpus),
            "start": _start(corpus),
        }
    if scale := figures.scale:
        made |= {
            "scale system": _system(scale["sizes"][-1]["system"]),
            "scale musts": _musts(scale["musts"]),
            "scale": "\n\n".join([_scale(scale), *(_image(*plot) for plot in _SCALE_PLOTS)]),
        }
    if shape := figures.shape:
        made["shape"] = _shape(shape)
    if check := figures.check:
        made |= {
            "check musts": _musts(check["musts"]),
            "check": _checked(check),
            "check speed": _check_speed(check),
            "check system": _system(check["system"]),
        }
    if foreign := figures.foreign:
        made |= {
            "foreign musts": _musts(foreign["musts"]),
            "foreign": _foreign(foreign["sets"]),
        }
    if order := figures.order:
        rows = ((name, f"{own['claims']}", _interval(own)) for name, own in order.items())
        made["order"] = table(("", "claims", "right, %"), rows)
    if hops := figures.hops:
        made |= {
            "hops musts": _musts(hops["musts"]),
            "hops": _hops(hops),
            "hops time": _hops_time(hops),
            "hops system": _system(hops["system"]),
        }
    if chains := figures.chains:
        made |= {
            "chain musts": _musts(chains["musts"]),
            "chains": "\n\n".join(table(*part) for part in chain_parts(chains, _interval)),
            "chain system": _system(chains["system"]),
        }
    if reasoning := figures.table_reasoning:
        made |= {
            "table musts": _musts(reasoning["musts"]),
            "table reasoning": _reasoning(reasoning),
            "table system": _system(reasoning["system"]),
        }
    if verdicts := figures.table_verdicts:
        made |= {
            "verdict musts": _musts(verdicts["musts"]),
            "table verdicts": _verdicts(verdicts),
            "verdict system": _system(verdicts["system"]),
        }
    if served := figures.serve:
        made |= {
            "serve musts": _musts(served["musts"]),
            "serve": table(*serve_rows(served)),
            "serve system": _system(served["system"]),
        }
    if searched := figures.table_search:
        parts = [
            table((head, "measured"), ((name, _interval(own)) for name, own in systems.items()))
            for head, systems in search_parts(searched)
        ]
        made["table search"] = "\n\n".join([*parts, table(("", ""), search_rows(searched))])
    PLOTS.mkdir(parents=True, exist_ok=True)
    for name, picture in plots(figures.corpus, figures.scale, NAMES).items():
        (PLOTS / f"{name}.svg").write_text(picture + "\n")
    text = PAGE.read_text()
    for name, part in made.items():
        marked = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not marked.search(text):
            raise SystemExit(f"{PAGE.name} has no place for {name!r}: add its two marks")
        text = marked.sub(lambda m, part=part: f"{m[1]}{part}\n{m[2]}", text)
    PAGE.write_text(text)


if __name__ == "__main__":
    write_docs()
