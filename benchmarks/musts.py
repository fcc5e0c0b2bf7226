"""What must be reached, and whether it was: each line a sentence, a figure and a bound."""

import math
from typing import Any

from msgspec import Struct

__all__ = [
    "Must",
    "check_musts",
    "corpus_musts",
    "exponent",
    "foreign_musts",
    "hops_musts",
    "scale_musts",
]


class Must(Struct, frozen=True):
    """One thing that must hold."""

    what: str
    measured: str
    bound: str
    met: bool


def _at_most(what: str, value: float, bound: float, unit: str, places: int = 2) -> Must:
    return Must(what, f"{value:.{places}f}{unit}", f"≤ {bound:g}{unit}", value <= bound)


def _at_least(what: str, value: float, bound: float, unit: str, places: int = 2) -> Must:
    return Must(what, f"{value:.{places}f}{unit}", f"≥ {bound:g}{unit}", value >= bound)


def corpus_musts(results: dict[str, Any]) -> list[Must]:
    """Judge a run of corpus.py."""
    builds, latency, start = results["builds"], results["latency"], results["start"]
    ours, theirs = builds["feverfew"], builds["bm25s"]
    recall = results["recall"]["all"]["systems"]
    found = {k: 100 * recall["ranked"][k]["value"] for k in ("5", "10")}
    bare = start["python"]
    return [
        _at_least("complete gold set in the top 5", found["5"], 95.5, " %"),
        _at_least("complete gold set in the top 10", found["10"], 96.5, " %"),
        _at_most("p50 of a claim, one thread", latency["ranked"]["p50"], 5, " ms"),
        _at_least(
            "batch on two workers over one",
            results["batch"]["ranked 2"] / results["batch"]["ranked 1"],
            1.5,
            " ×",
        ),
        _at_least(
            "build, time of bm25s as it comes over ours",
            theirs["seconds"] / ours["seconds"],
            2,
            " ×",
        ),
        _at_most(
            "build, our peak private memory over bm25s'",
            ours["peak_private"] / theirs["peak_private"],
            0.333,
            " ×",
            3,
        ),
        _no_slower_than_bm25s(recall, latency),
        _at_most("import feverfew", start["import feverfew"] - bare, 0.2, " s", 3),
        _at_most("open the corpus, first answer", start["open and first answer"], 0.3, " s", 3),
    ]  # fmt: skip


def _no_slower_than_bm25s(recall: dict[str, Any], latency: dict[str, Any]) -> Must:
    """Set our fastest retriever that finds as much as bm25s' better form against its faster one."""
    rivals = ("bm25s", "bm25s-stemmed")
    best = {k: max(recall[rival][k]["value"] for rival in rivals) for k in ("5", "10")}
    bound = min(latency[rival]["p50"] for rival in rivals)
    able = [
        (latency[name]["p50"], name)
        for name in ("ranked", "lexical", "titles")
        if all(recall[name][k]["value"] >= best[k] for k in best)
    ]
    what = "p50 at recall no worse than bm25s' with numba"
    if not able:
        return Must(what, "none finds as much", f"≤ {bound:.2f} ms", False)
    value, name = min(able)
    return Must(what, f"{value:.2f} ms ({name})", f"≤ {bound:.2f} ms", value <= bound)


def exponent(points: list[tuple[float, float]]) -> float:
    """Fit y = c · xᵉ over the points, and return e: 1 is linear growth."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / spread


_NOISE = 1.05
"""An exponent this close to 1 cannot be told from it in three measurements."""


def scale_musts(sizes: list[dict[str, Any]]) -> list[Must]:
    """Judge a run of scale.py; growth needs two sizes at least."""
    found: list[Must] = []
    if len(sizes) > 1:
        for what, figure in (
            ("build time", "seconds"),
            ("peak private memory of the build", "peak_private"),
            ("size on disk", "disk"),
            ("p50 of a claim", "p50"),
        ):
            grown = exponent([(size["pages"], size[figure]) for size in sizes])
            found.append(_at_most(f"growth of {what}: pages to the power", grown, _NOISE, ""))
    largest = max(sizes, key=lambda size: size["pages"])
    pages = f"{largest['pages'] / 1e6:g} M pages"
    found.append(_at_most(f"{pages}: peak private memory", largest["peak_private"] / 1e9, 8, " GB"))
    found.append(_at_most(f"{pages}: p50 of a claim", largest["p50"], 20, " ms"))
    return found


def foreign_musts(sets: dict[str, dict[str, Any]]) -> list[Must]:
    """Judge a run of foreign.py."""
    mean = 100 * sum(part["accuracy"] for part in sets.values()) / len(sets)
    return [_at_least("judge alone, mean over foreign sets", mean, 62, " %", 1)]


def check_musts(results: dict[str, Any]) -> list[Must]:
    """Judge a run of check.py."""
    found = results["all"]
    musts = [
        _at_least(what, 100 * found[name]["value"], bound, " %", 1)
        for what, name, bound in (
            ("complete gold set in the top 5 sentences", "top_5_sentences", 91),
            ("label accuracy with gold evidence", "with_gold", 80),
            ("label accuracy, whole pipeline", "label_accuracy", 71),
            ("FEVER score", "fever_score", 66),
        )
    ]
    musts += [
        _at_most("calibration error (ECE) of the verdict", found["ece"], 0.05, "", 3),
        _at_most("median time of a claim, two cores", results["timed"]["p50"], 150, " ms", 0),
        _at_most("cold `feverfew check` on the sample", results["cold"]["seconds"], 2, " s"),
        _at_most(
            "peak private memory, `verify` on two cores included",
            max(results["private"], *(results[n]["peak_private"] for n in ("cold", "verify")))
            / 1e9,
            1,
            " GB",
        ),
    ]
    if "plain" in results:
        ours, plain = results["plain"]["feverfew"], results["plain"]["plain"]
        musts += [
            _at_least(
                "claims a second over the plain way",
                ours["claims_a_second"] / plain["claims_a_second"],
                5,
                " ×",
            ),
            _at_least(
                "FEVER score beside the plain way",
                100 * (ours["fever_score"] - plain["fever_score"]),
                -1,
                " points",
            ),
        ]
    return musts


_ALL_PAGES = {"10": (88, 62, 40), "100": (95, 82, 65)}
"""By depth: the share of claims of two, three and four pages that must have all of them there."""


def hops_musts(results: dict[str, Any]) -> list[Must]:
    """Judge a run of hops.py."""
    musts = [
        _at_least(
            f"{pages} pages, all in the top {depth}",
            100 * results["recall"][pages]["systems"]["hops"][depth]["value"],
            bound,
            " %",
            1,
        )
        for depth, bounds in _ALL_PAGES.items()
        for pages, bound in zip(("2", "3", "4"), bounds, strict=True)
    ]
    spent = results["seconds"]["hops"]["4"]["clock"]["p50"]
    what = "median time of finding the pages of a claim of four"
    return [*musts, _at_most(what, spent / 1e3, 1, " s")]
