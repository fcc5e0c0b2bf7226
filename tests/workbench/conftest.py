"""A workbench over the sample, served by a process of its own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from feverfew.cli.main import cli
from running import Running, running
from visiting import Visitor


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, sample_path: Path) -> tuple[Path, str]:
    """Return a workbench with the demonstration, and its first invitation."""
    folder = tmp_path_factory.mktemp("bench") / "bench"
    made = CliRunner().invoke(
        cli, ["workbench", "init", str(folder), "--demo", "--json"], catch_exceptions=False
    )
    return folder, json.loads(made.stdout)["invitation"]


@pytest.fixture(scope="module")
def served(bench: tuple[Path, str]) -> Iterator[Running]:
    with running("serve", bench[0], command="workbench") as found:
        yield found


@pytest.fixture(scope="module")
def organiser(served: Running, bench: tuple[Path, str]) -> Iterator[Visitor]:
    visitor = Visitor(served.url).join(bench[1], "Olga")
    yield visitor
    visitor.close()
