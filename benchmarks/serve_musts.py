"""What the server must reach under load."""

from typing import Any

from musts import Must

__all__ = ["serve_musts", "serve_rows"]

_BATCH = 32


def serve_musts(results: dict[str, Any]) -> list[Must]:
    """Judge a run of serve.py."""
    one, many = results["throughput"]["1"], results["throughput"]["16"]
    gain = many["claims_a_second"] / one["claims_a_second"]
    start = results["throughput"]["start_seconds"]
    over, soak, restart = results["overload"], results["soak"], results["restart"]
    # Who is let in waits for the line, for the batch before it and for its own; twice that is due.
    bound = 2e3 * (over["queue"] + 2 * _BATCH) / many["claims_a_second"]
    growth = soak["memory_late"] / soak["memory_early"]
    wrong = soak["lost"] + soak["mixed"] + soak["refused"]
    broken = restart["mixed"] + restart["changed"]
    both = min(restart["before"], restart["after"])
    return [
        Must("starts", f"{start:.1f} s", "≤ 3 s", start <= 3),
        Must("claims a second, 16 clients over 1", f"{gain:.2f} ×", "≥ 1.5 ×", gain >= 1.5),
        Must(
            "p99 of what is answered at 4 × overload",
            f"{over['p99_ms']:,.0f} ms",
            f"≤ {bound:,.0f} ms",
            over["p99_ms"] <= bound and over["lost"] == 0 and over["answered"] > 0,
        ),
        Must(
            f"lost or mixed up in {soak['requests']:,} requests", f"{wrong}", "0",
            wrong == 0 and soak["requests"] >= 10_000,
        ),
        Must(
            f"memory after {soak['seconds'] / 60:.0f} minutes", f"{growth:.3f} ×", "≤ 1.05 ×",
            growth <= 1.05,
        ),
        Must("answers broken by kill and restart", f"{broken}", "0", broken == 0 and both > 0),
    ]  # fmt: skip


def serve_rows(results: dict[str, Any]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Lay the parts of a run out as a table's head and rows."""
    parts = {
        "1 client": results["throughput"]["1"],
        "16 clients": results["throughput"]["16"],
        "4 × overload": results["overload"],
        "mixed public, 16 clients": results["soak"],
        "killed and started again": results["restart"],
    }
    rows = [
        (
            name,
            f"{part['requests']:,}",
            f"{part['refused']:,}",
            f"{part['lost']:,}",
            f"{part['claims_a_second']:.1f}",
            f"{part['p50_ms']:,.0f} ms",
            f"{part['p99_ms']:,.0f} ms",
        )
        for name, part in parts.items()
    ]
    return ("", "requests", "refused", "lost", "claims a second", "p50", "p99"), rows
