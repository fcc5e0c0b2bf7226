"""Assertions for tests, and the plugin in a pytest of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from feverfew.check import Checker
from feverfew.errors import InputError
from feverfew.integrations.testing import assert_not_refuted, assert_supported, close_checkers
from feverfew.types import Verdict


def test_what_is_supported_passes_and_what_is_not_is_told(sample_path: Path) -> None:
    try:
        (report,) = assert_supported("Fritz Lang was born in Vienna. Was he?", sample_path)
        assert report.verdict is Verdict.SUPPORTED
        with pytest.raises(AssertionError, match=r"1 of 2 sentences not supported(?s:.*)REFUTED"):
            assert_supported("Fritz Lang was born in Vienna. He was born in 1975.", sample_path)
        with pytest.raises(InputError, match="no sentence"):
            assert_supported("Why?", sample_path)
    finally:
        close_checkers()


def test_what_the_corpus_does_not_know_may_stand(sample_path: Path) -> None:
    with Checker.open(sample_path) as checker:
        assert_not_refuted("Fritz Lang owned a parrot.", checker)
        with pytest.raises(AssertionError, match="not supported"):
            assert_supported("Fritz Lang owned a parrot.", checker)


def test_the_plugin_in_a_pytest_of_its_own(sample_path: Path, tmp_path: Path) -> None:
    (tmp_path / "test_docs.py").write_text(
        "def test_right(assert_supported):\n"
        "    assert_supported('Fritz Lang was born in Vienna.')\n"
        "def test_wrong(assert_not_refuted):\n"
        "    assert_not_refuted('Fritz Lang was born in 1975.')\n"
    )
    plugin = ["-p", "feverfew.integrations.pytest_plugin"]
    words = ["--feverfew-corpus", str(sample_path), "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:feverfew", *plugin, *words, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "The claim says 1975" in done.stdout
