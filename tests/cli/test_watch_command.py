import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("watchfiles")


def test_changes_are_read_as_they_happen(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "hours.txt").write_text("We open at nine.\n" * 30)
    command = [sys.executable, "-c", "from feverfew.cli.main import main; main()", "watch"]
    options = [str(docs), "-o", str(tmp_path / "c"), "--settle", "0.1", "--json"]
    with subprocess.Popen(
        [*command, *options],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # as in a terminal
    ) as process:
        assert process.stdout is not None
        try:
            assert json.loads(process.stdout.readline())["built"]["pages"] == 1
            (docs / "new.txt").write_text("We close at five.\n")
            changed = json.loads(process.stdout.readline())
            assert (changed["added"], changed["unchanged"], changed["pages"]) == (1, 1, 2)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(20)  # Ctrl-C ends it in peace
            finally:
                process.kill()
        assert process.returncode in {0, 130}
