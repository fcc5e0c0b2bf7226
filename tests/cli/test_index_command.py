"""`feverfew index` and `fsck`, as people run them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.corpus import Corpus
from feverfew.corpus.fsck import fsck
from making import MAIN, child, fever_file, fever_line, feverfew, many_pages

SMALL = {"Vienna": ["Vienna lies on the Danube ."], "Linz": ["Linz is in Austria ."]}


def index(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["index", *map(str, arguments)])


def test_stdout_is_data_and_stderr_is_talk(tmp_path: Path) -> None:
    source = tmp_path / "pages.jsonl"
    source.write_text(fever_line("Vienna") + "broken\n" + fever_line("Linz"))
    done = feverfew("index", source, "-o", tmp_path / "c", "--json")
    assert done.returncode == 0
    summary = json.loads(done.stdout)
    assert summary.pop("seconds") >= 0
    assert summary == {
        "pages": 2, "redirects": 0, "dangling_redirects": 0, "duplicates": 0, "bad": 1,
    }  # fmt: skip
    assert done.stderr.startswith("pages.jsonl:2: ")
    done = feverfew("index", source, "-o", tmp_path / "c", "--rebuild")
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith(f"{tmp_path / 'c'}: 2 pages in ")
    assert done.stderr.endswith("; 1 record could not be read\n")


def test_the_sample(tmp_path: Path) -> None:
    done = index("--sample", "-o", tmp_path / "c", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["pages"] >= 120
    assert fsck(tmp_path / "c") == []


def test_mentions_are_linked_at_once_later_or_never(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "pages.jsonl", {**SMALL, "Steyr": ["It is near Linz ."]})
    for option, at_once, links in (
        ("--link-mentions", True, 1),
        (None, False, 1),
        ("--no-link-mentions", False, 0),
    ):
        done = index(source, "-o", tmp_path / "c", *([option] if option else []))
        assert done.exit_code == 0
        with Corpus.open(tmp_path / "c") as corpus:
            assert corpus.linked is at_once
            assert corpus.links.counts() == (links, 0)
        assert fsck(tmp_path / "c") == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Missing option '-o'"),
        (["-o", "c"], "name one or more SOURCES, or --sample"),
        (["nowhere.jsonl", "-o", "c"], "'nowhere.jsonl' does not exist"),
        (["--sample", __file__, "-o", "c"], "name one or more SOURCES, or --sample"),
        (["--sample", "-o", "c", "--workers", "-1"], "--workers"),
    ],
)
def test_a_slip_in_the_command(arguments: list[str], told: str) -> None:
    done = feverfew("index", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_errors_are_one_line_and_a_code(tmp_path: Path) -> None:
    source = tmp_path / "pages.jsonl"
    source.write_text(fever_line("Vienna") + "broken\n")
    strict = feverfew("index", source, "-o", tmp_path / "c", "--strict")
    assert (strict.returncode, strict.stdout) == (2, "")
    assert strict.stderr.startswith("feverfew: pages.jsonl:2: broken JSON")
    unknown = feverfew("index", source, "-o", tmp_path / "c", "--format", "fevr")
    assert unknown.returncode == 2
    assert unknown.stderr.startswith("feverfew: unknown format 'fevr'; known are fever")
    foreign = feverfew("index", source, "-o", tmp_path)
    assert foreign.returncode == 3
    assert foreign.stderr.count("\n") == 1


def test_ctrl_c_ends_quickly_and_leaves_a_build_to_go_on_with(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "pages.jsonl", many_pages(8_000))
    directory = tmp_path / "c"
    # A shell's background jobs ignore Ctrl-C, and the tests may run in one.
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); " + MAIN
    with child(listening, "index", source, "-o", directory, "--workers", "2") as process:
        deadline = time.monotonic() + 30
        while not list(directory.glob("g-*/text/*.json")) and time.monotonic() < deadline:
            time.sleep(0.01)
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert time.monotonic() - started < 10
    assert (process.returncode, out) == (130, "")
    assert err.strip() == "feverfew: interrupted"
    deadline = time.monotonic() + 10
    while any(_runs(pid) for pid in workers):
        assert time.monotonic() < deadline, "a worker outlived the command"
        time.sleep(0.02)
    resumed = feverfew("index", source, "-o", directory, "--resume", "--workers", "0", "--json")
    assert json.loads(resumed.stdout)["pages"] == 8_000
    assert fsck(directory) == []


def _runs(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_the_old_corpus_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "pages.jsonl", SMALL)
    assert index(source, "-o", tmp_path / "c").exit_code == 0
    (tmp_path / "bad.jsonl").write_text(fever_line("Graz") + "broken\n")
    assert index(tmp_path / "bad.jsonl", "-o", tmp_path / "c", "--strict").exit_code != 0
    with Corpus.open(tmp_path / "c") as corpus:
        assert {page.title for page in corpus} == set(SMALL)


def test_a_closed_pipe_is_not_an_error(sample_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", MAIN, "show", "--corpus", str(sample_path), "Vienna"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False, timeout=60)
    os.close(write)
    assert b"Traceback" not in done.stderr
