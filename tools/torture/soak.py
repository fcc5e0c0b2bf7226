"""A server at work for long: mixed requests, half of what it can answer, and memory that stays."""

from pathlib import Path

from tools.torture import Result, Tally
from tools.torture.overload import Load, send

__all__ = ["run"]


def run(tries: int, seed: int, folder: Path) -> Result:
    """Send requests for that many seconds."""
    tally = Tally("soak", seed)
    send(tally, Load(0.5, idle=20), lambda _, seconds: seconds < tries)
    return tally.result()
