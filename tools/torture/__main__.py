"""Run every way of breaking things, and print one table: python -m tools.torture [--short]."""

import argparse
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from tools.torture import Result, tallied

# How many tries each part gets, in the long form and in the short one; a soak, how many seconds.
PARTS = {
    "kills": (100, 2),
    "submissions": (50, 2),
    "annotators": (30, 2),
    "power": (100, 2),
    "flips": (2_000, 20),
    "tampering": (41, 41),
    "bombs": (99, 2),
    "inputs": (10_000, 200),
    "overload": (10_000, 100),
    "soak": (600, 20),
}


def main() -> int:
    """Run the parts that are asked for; return how many failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all of them if left out")
    parser.add_argument("--short", action="store_true", help="a few tries of each")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    results: list[Result] = []
    for name in given.parts or PARTS:
        part = import_module(f"tools.torture.{name}")
        with tempfile.TemporaryDirectory(prefix="torture-") as folder:
            result: Result = part.run(PARTS[name][given.short], given.seed, Path(folder))
        print(result, file=sys.stderr, flush=True)
        for failure in result.failures[:20]:
            print(f"  {failure}", file=sys.stderr)
        results.append(result)
    print(tallied(*results))
    return sum(bool(result.failures) for result in results)


if __name__ == "__main__":
    sys.exit(main())
