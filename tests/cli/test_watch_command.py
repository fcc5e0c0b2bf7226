import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("watchfiles")


def test_changes_are_read_as_they_happen(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "hours.txt").write_text("We open at nine.\n" * 30)
    command = [sys.executable, "-c", "from feverfew.cli.main import main; main()", "watch"]
    options = [str(docs), "-o", str(tmp_path / "c"), "--settle", "0.1", "--json"]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert json.loads(process.stdout.readline())["built"]["pages"] == 1
            (docs / "new.txt").write_text("We close at five.\n")
            changed = json.loads(process.stdout.readline())
            assert (changed["added"], changed["unchanged"], changed["pages"]) == (1, 1, 2)
        finally:
            # Ctrl-C ends it in peace.
            os.kill(process.pid, 2)
            end = time.monotonic() + 20
            while process.poll() is None and time.monotonic() < end:
                time.sleep(0.05)
        assert process.returncode in {0, 130}
