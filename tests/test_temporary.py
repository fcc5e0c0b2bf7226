"""Temporary folders are gone after their process, also after one that was killed."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from feverfew.temporary import temporary_folder

HOLD = """
from feverfew.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "large").write_bytes(bytes(1000))
    print(folder, flush=True)
    input()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_a_folder_is_empty_and_goes_at_the_end(place: Path) -> None:
    with temporary_folder() as folder:
        assert folder.is_relative_to(place)
        assert list(folder.iterdir()) == []
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_goes_with_the_next_and_what_is_in_use_stays(
    place: Path,
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        with temporary_folder():
            assert (left / "large").exists()
        process.kill()
    assert (left / "large").exists()
    other = place / "feverfew-0"  # where the sample is kept, if nowhere else
    other.mkdir()
    with temporary_folder():
        assert not left.parent.exists()
    assert [path.name for path in place.iterdir()] == ["feverfew-0"]
