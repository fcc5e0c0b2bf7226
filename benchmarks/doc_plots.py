"""The plots of docs/performance.md."""

from typing import Any

from feverfew.render.plots import Bar, bars, lines

__all__ = ["plots"]


def plots(
    corpus: dict[str, Any] | None, scale: dict[str, Any] | None, names: dict[str, str]
) -> dict[str, str]:
    """Draw what has been measured of building and searching, each plot under its name."""
    drawn: dict[str, str] = {}
    if corpus:
        systems, ends = corpus["recall"]["all"]["systems"], ("value", "low", "high")
        drawn["recall"] = bars(
            "A complete gold set among the top 5, % (296k-page world)",
            [
                Bar(names[name].replace("`", ""), *(100 * found["5"][at] for at in ends))
                for name, found in systems.items()
            ],
            places=1,
        )
    if scale:
        sizes = scale["sizes"]
        million = [size["pages"] / 1e6 for size in sizes]
        for name, title, label, values in (
            ("rate", "Build rate", "pages a second", [s["rate"] for s in sizes]),
            ("memory", "Peak private memory of the build", "GB",
             [s["peak_private"] / 1e9 for s in sizes]),
            ("p50", "Median time of a claim, one thread", "ms", [s["p50"] for s in sizes]),
        ):  # fmt: skip
            drawn[f"scale-{name}"] = lines(
                title,
                {label: list(zip(million, values, strict=True))},
                x_label="million pages",
                y_label=label,
                x_range=(0, max(million)),
                y_range=(0, max(values)),
            )
    return drawn
