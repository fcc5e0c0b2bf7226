"""Write the measured figures into docs/performance.md: python benchmarks/write_docs.py.

Text between `<!-- begin NAME -->` and `<!-- end NAME -->` is replaced by the tables and plots of
`results/*.json`; the rest of the page stays as it is.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import targets
from feverfew.render.plots import Bar, bars, lines
from measure import RESULTS, read_json

__all__ = ["parts", "speed_table", "write_docs"]

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
PLOTS = ROOT / "docs" / "plots"
ABSENT = "Not measured yet."

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


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table; the first column is words, the others are numbers."""
    ruler = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ruler, *rows))


def _targets(found: Iterable[targets.Target]) -> str:
    return table(
        ("target", "bound", "measured", ""),
        ((t.what, t.bound, t.measured, "met" if t.met else "**not met**") for t in found),
    )


def _system(system: dict[str, Any]) -> str:
    packages = ", ".join(f"{name} {found}" for name, found in system["packages"].items())
    cores = "1 core" if system["cores"] == 1 else f"{system['cores']} cores"
    return (
        f"{system['processor']}, {cores}, {system['memory'] / 2**30:.0f} GiB, "
        f"Linux {system['kernel']}, Python {system['python']}; {packages}. "
        f"Load before the run: {system['load_before']}."
    )


def _interval(found: dict[str, float]) -> str:
    low, high = 100 * found["low"], 100 * found["high"]
    return f"{100 * found['value']:.1f} ({low:.1f}–{high:.1f})"


def _systems(head: str, systems: dict[str, dict[str, float]]) -> str:
    return table((head, "measured"), ((name, _interval(own)) for name, own in systems.items()))


# --- verdicts -------------------------------------------------------------------------------

_HEADLINES = (
    ("fever", "label_accuracy", "FEVER: label accuracy"),
    ("fever", "fever_score", "FEVER score"),
    ("fever", "top_5", "FEVER: a complete gold set in the top 5 sentences"),
    ("fever", "with_gold", "FEVER: label accuracy with gold evidence"),
    ("hover", "hover_score", "HoVer score"),
    ("hover", "with_gold", "HoVer: label accuracy with gold sentences"),
    ("realdocs", "accuracy", "Real documents: `check`"),
    ("realdocs_gold", "accuracy", "Real documents: gold text given"),
    ("skills", "accuracy", "Skills: evidence given"),
    ("sample", "accuracy", "The sample: `check`"),
    ("vitaminc", "accuracy", "VitaminC (out of domain): evidence given"),
    ("summaries", "accuracy", "Summaries (out of domain): evidence given"),
    ("feverous", "two_way", "FEVEROUS: supported or refuted, gold sentences given"),
    ("tabfact", "two_way", "TabFact: true or false, table given"),
    ("infotabs", "accuracy", "InfoTabS: three labels, infobox given"),
)
_COLUMNS = {"accuracy": "right", "S": "S", "R": "R", "N": "N", "X": "not S",
            "evidence": "right evidence", "sure": "right where sure", "ece": "ECE",
            "contradict": "self-contradicting"}  # fmt: skip


def before_and_after(now: dict[str, Any] | None, before: dict[str, Any]) -> str:
    """Put the figures of the version before next to today's."""
    rows = []
    for name, measure, what in _HEADLINES:
        found = (now or {}).get(name)
        old = before["trust"].get(name, {}).get(measure)
        rows.append((
            what,
            f"{100 * old:.1f}" if old is not None else "–",
            _interval(found[measure]) if found else "not measured yet",
            f"{found['claims']:,}" if found else "–",
        ))  # fmt: skip
    return table(("right, %", before["version"], "now", "claims"), rows)


def trust_details(now: dict[str, Any], before: dict[str, Any]) -> str:
    """Tabulate every set by label, with evidence, calibration and contradictions."""

    def cell(value: Any, column: str) -> str:
        if value is None:
            return "–"
        if column == "ece":
            return f"{value:.2f}"
        return f"{100 * (value['value'] if isinstance(value, dict) else value):.0f}"

    rows = []
    for name in dict.fromkeys(name for name, _, _ in _HEADLINES if name in now):
        rows.append((f"`{name}`", *(cell(now[name][column], column) for column in _COLUMNS)))
        old = before["trust"].get(name, {})
        if len(old.keys() & _COLUMNS.keys()) > 1:
            cells = (cell(old.get(column), column) for column in _COLUMNS)
            rows.append((f"`{name}`, {before['version']}", *cells))
    return table(("%", *_COLUMNS.values()), rows)


def speed_table(results: dict[str, Any], before: dict[str, Any] | None = None) -> str:
    """Tabulate the time and memory of each model."""
    columns = {name: _speed_column(found) for name, found in results["models"].items()}
    if before:
        columns = {before["version"]: before["speed"]} | columns
    rows = dict.fromkeys(row for name in results["models"] for row in columns[name])
    return table(
        ("", *columns), ((row, *(own.get(row, "–") for own in columns.values())) for row in rows)
    )


def _speed_column(found: dict[str, Any]) -> dict[str, str]:
    column = {"cold `feverfew check`, s": f"{found['cold']['seconds']:.2f}"}
    for name, single in found["single"].items():
        column |= {
            f"opening a checker ({name}), s": f"{found['open'][name]:.2f}",
            f"one claim ({name}), p50, ms": f"{single['wall']['p50']:.0f}",
            f"one claim ({name}), p95, ms": f"{single['wall']['p95']:.0f}",
            f"one claim ({name}), processor time, p50, ms": f"{single['processor']['p50']:.0f}",
        }
    rate, peak = found["batch"]["claims_a_second"], found["peak_private"] / 1e9
    return column | {
        f"`feverfew verify` ({found['batch']['set']}), claims a second": f"{rate:.1f}",
        "peak private memory, GB": f"{peak:.2f}",
    }


# --- corpus and retrieval -------------------------------------------------------------------


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


def _asked(corpus: dict[str, Any], system: str) -> str:
    """Name a system, and say so where it was asked only some of the claims."""
    every = corpus["latency"]["ranked"]["answers"]
    count = corpus["latency"].get(system, {}).get("answers", every)
    return NAMES[system] if count == every else f"{NAMES[system]} (the first {count:,} claims)"


def _recall(corpus: dict[str, Any]) -> Iterator[str]:
    yield _image("recall", "Recall at 5 of every system")
    for name in ("all", "several pages"):
        part = corpus["recall"][name]
        rows = (
            (_asked(corpus, system), *(_interval(recall[k]) for k in ("5", "10", "20")))
            for system, recall in part["systems"].items()
        )
        head = f"{name} ({part['claims']:,} claims)"
        yield table((head, "top 5, %", "top 10, %", "top 20, %"), rows)


def _latency(corpus: dict[str, Any]) -> str:
    return table(
        ("one claim at a time", "p50 ms", "p95 ms", "private MB"),
        (
            (_asked(corpus, name), f"{found['p50']:.2f}", f"{found['p95']:.2f}",
             f"{found['peak_private'] / 1e6:,.0f}")
            for name, found in corpus["latency"].items()
        ),
    )  # fmt: skip


_SCALE: dict[str, Callable[[dict[str, Any]], str]] = {
    "pages": lambda s: f"{s['pages']:,}",
    "source, GB": lambda s: f"{s['source'] / 1e9:.2f}",
    "build, s": lambda s: f"{s['seconds']:,.0f}",
    "pages a second": lambda s: f"{s['rate']:,.0f}",
    "peak private memory, MB": lambda s: f"{s['peak_private'] / 1e6:,.0f}",
    "corpus on disk, GB": lambda s: f"{s['disk'] / 1e9:.2f}",
    "opening, ms": lambda s: f"{1e3 * s['open']:.0f}",
    "p50 of a claim, ms": lambda s: f"{s['p50']:.2f}",
    "p95 of a claim, ms": lambda s: f"{s['p95']:.2f}",
    "private memory when searching, MB": lambda s: f"{s['peak_private_asking'] / 1e6:,.0f}",
    "right page in the top 5, %": lambda s: f"{100 * s['recall@5']:.1f}",
}


def _scale(scale: dict[str, Any]) -> Iterator[str]:
    head, *rows = [(name, *map(show, scale["sizes"])) for name, show in _SCALE.items()]
    yield table(head, rows)
    yield _image("scale-rate", "Pages built a second, by size")
    yield _image("scale-memory", "Peak private memory of the build, by size")
    yield _image("scale-p50", "Median time of a claim, by size")


def _shape(shape: dict[str, Any]) -> str:
    real, made = shape["real"], shape["made up"]
    return table(
        (f"first {real['pages']:,} pages", "wiki/intros", "generated"),
        (
            (name, *(f"{v:,.0f}" if v >= 1000 else f"{v:.3g}" for v in (real[name], made[name])))
            for name in real
            if name != "pages"
        ),
    )


def _hops(hops: dict[str, Any]) -> Iterator[str]:
    for pages, found in hops["recall"].items():
        depths = list(found["systems"]["hops"])
        rows = (
            (NAMES[name], *(_interval(own[k]) for k in depths),
             f"{hops['seconds'][name][pages]['clock']['p50']:.0f}")
            for name, own in found["systems"].items()
        )  # fmt: skip
        head = f"{pages} pages ({found['claims']} claims of {found['questions']} questions)"
        yield table((head, *(f"top {k}, %" for k in depths), "p50 ms"), rows)


def _hops_fever(found: dict[str, Any]) -> Iterator[str]:
    for name, part in found["recall"].items():
        if name in ("one page", "several pages"):
            rows = (
                (NAMES[system], *map(_interval, own.values()))
                for system, own in part["systems"].items()
            )
            depths = (f"top {k}, %" for k in next(iter(part["systems"].values())))
            yield table((f"{name} ({part['claims']} claims)", *depths), rows)


# --- tables and the server ------------------------------------------------------------------


def _reasoning(found: dict[str, Any]) -> Iterator[str]:
    said, cells = found["statements"], found["cells"]
    yield _systems(
        f"TabFact, {said['statements']:,} statements, right, %", said["systems"] | said["slices"]
    )
    yield _systems(f"FeTaQA, {cells['sentences']:,} sentences, cells within 25, %",
                   cells["systems"])  # fmt: skip
    speed = found["speed"]
    rows = [
        ("a claim over a table of TabFact, ms", f"{said['milliseconds']:.1f}"),
        (f"1,000 × 40: {speed['programs']} programs run, ms", f"{speed['run_ms']:.1f}"),
        ("1,000 × 40: linked, built, run and described, ms", f"{speed['claim_ms']:.1f}"),
        ("choosing 25 cells, ms", f"{cells['milliseconds']:.1f}"),
        ("calibration error (ECE) of TabFact's answers", f"{said['ece']:.3f}"),
    ]
    yield table(("one core", "measured"), rows)


_SEARCHED = {
    "fused": "tables and pages",
    "tables alone": "the table index alone",
    "its page among 5": "(its page in the top 5)",
}


def _table_search(found: dict[str, Any]) -> Iterator[str]:
    yield f"{found['tables']:,} tables on {found['pages']:,} pages."
    for name, part in found["sets"].items():
        systems = {_SEARCHED[key]: own for key, own in part["systems"].items() if key in _SEARCHED}
        yield _systems(f"{name}, {part['claims']:,} claims, right table in the top 3, %", systems)


def serve_table(results: dict[str, Any]) -> str:
    """Tabulate the parts of a run of serve.py."""
    kinds = {
        "1 client": results["throughput"]["1"],
        "16 clients": results["throughput"]["16"],
        "4 × overload": results["overload"],
        "mixed requests, 16 clients": results["soak"],
        "killed and restarted": results["restart"],
    }
    return table(
        ("", "requests", "refused", "lost", "claims a second", "p50 ms", "p99 ms"),
        (
            (
                name,
                *(f"{part[figure]:,}" for figure in ("requests", "refused", "lost")),
                f"{part['claims_a_second']:.1f}",
                *(f"{part[figure]:,.0f}" for figure in ("p50_ms", "p99_ms")),
            )
            for name, part in kinds.items()
        ),
    )


# --- the page -------------------------------------------------------------------------------

PARTS: dict[str, tuple[str, Callable[[dict[str, Any]], str]]] = {
    "trust targets": ("trust", lambda r: _targets(targets.trust_targets(r))),
    "speed targets": ("speed", lambda r: _targets(targets.speed_targets(r))),
    "speed system": ("speed", lambda r: _system(r["system"])),
    "corpus targets": ("corpus", lambda r: _targets(targets.corpus_targets(r))),
    "corpus system": ("corpus", lambda r: _system(r["system"])),
    "recall": ("corpus", lambda r: "\n\n".join(_recall(r))),
    "latency": ("corpus", _latency),
    "builds": ("corpus", _builds),
    "hops targets": ("hops", lambda r: _targets(targets.hops_targets(r))),
    "hops": ("hops", lambda r: "\n\n".join(_hops(r))),
    "hops fever": ("hops_fever", lambda r: "\n\n".join(_hops_fever(r))),
    "hops system": ("hops", lambda r: _system(r["system"])),
    "scale targets": ("scale", lambda r: _targets(targets.scale_targets(r["sizes"]))),
    "scale": ("scale", lambda r: "\n\n".join(_scale(r))),
    "scale system": ("scale", lambda r: _system(r["sizes"][-1]["system"])),
    "shape": ("shape", _shape),
    "table targets": ("table_reasoning", lambda r: _targets(targets.table_targets(r))),
    "table reasoning": ("table_reasoning", lambda r: "\n\n".join(_reasoning(r))),
    "table system": ("table_reasoning", lambda r: _system(r["system"])),
    "search targets": ("table_search", lambda r: _targets(targets.search_targets(r))),
    "table search": ("table_search", lambda r: "\n\n".join(_table_search(r))),
    "serve targets": ("serve", lambda r: _targets(targets.serve_targets(r))),
    "serve": ("serve", serve_table),
    "serve system": ("serve", lambda r: _system(r["system"])),
}
"""Each part of the page: the result file that it comes from, and how it is written."""


def parts(results: Callable[[str], dict[str, Any] | None]) -> dict[str, str]:
    """Write every part of the page; `results` reads a result file by its name."""
    before = results("before") or {"version": "before", "trust": {}, "speed": {}}
    trust, speed = results("trust"), results("speed")
    made = {
        "trust": before_and_after(trust, before),
        "trust details": trust_details(trust, before) if trust else ABSENT,
        "speed": speed_table(speed, before) if speed else ABSENT,
    }
    for name, (file, write) in PARTS.items():
        found = results(file)
        made[name] = write(found) if found else ABSENT
    return made


def _image(name: str, text: str) -> str:
    return f"![{text}](plots/{name}.svg)"


def plots(corpus: dict[str, Any] | None, scale: dict[str, Any] | None) -> dict[str, str]:
    """Draw the plots of building and searching, by name."""
    drawn: dict[str, str] = {}
    if corpus:
        systems, ends = corpus["recall"]["all"]["systems"], ("value", "low", "high")
        found = [
            Bar(NAMES[name].replace("`", ""), *(100 * own["5"][at] for at in ends))
            for name, own in systems.items()
        ]
        title = "A complete gold set in the top 5, % (296k pages)"
        drawn["recall"] = bars(title, found, places=1)
    sizes = scale["sizes"] if scale else []
    million = [size["pages"] / 1e6 for size in sizes]
    for name, title, label, values in (
        ("rate", "Build rate", "pages a second", [s["rate"] for s in sizes]),
        ("memory", "Peak private memory of the build", "GB",
         [s["peak_private"] / 1e9 for s in sizes]),
        ("p50", "Median time of a claim, one thread", "ms", [s["p50"] for s in sizes]),
    ):  # fmt: skip
        if sizes:
            drawn[f"scale-{name}"] = lines(
                title,
                {label: list(zip(million, values, strict=True))},
                x_label="million pages",
                y_label=label,
                x_range=(0, max(million)),
                y_range=(0, max(values)),
            )
    return drawn


def write_docs() -> None:
    """Renew every table and plot of the page."""

    def results(name: str) -> dict[str, Any] | None:
        return read_json(RESULTS / f"{name}.json")

    PLOTS.mkdir(parents=True, exist_ok=True)
    for name, picture in plots(results("corpus"), results("scale")).items():
        (PLOTS / f"{name}.svg").write_text(picture + "\n")
    text = PAGE.read_text("utf-8")
    for name, part in parts(results).items():
        marked = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        found = marked.search(text)
        if not found:
            raise SystemExit(f"{PAGE.name} has no place for {name!r}: add its two marks")
        text = f"{text[: found.start()]}{found[1]}{part}\n{found[2]}{text[found.end() :]}"
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    write_docs()
