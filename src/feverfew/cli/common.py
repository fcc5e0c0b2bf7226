"""What several commands share: the `--json` option, and the two ways of talking."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["json_option", "print_json", "stdout", "talk"]

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """Add `--json` as the parameter `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, one value a line.")(
        command
    )


def print_json(value: object) -> None:
    """Print one JSON value on a line of stdout."""
    click.echo(msgspec.json.encode(value))


@lru_cache(maxsize=1)
def stdout() -> "Console":
    """The console for results that people read."""
    from rich.console import Console

    return Console(highlight=False)


@lru_cache(maxsize=1)
def talk() -> "Console":
    """The console for progress and remarks: stderr."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)
