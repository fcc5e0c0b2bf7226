"""`feverfew fsck`: 0 for sound, 1 for damaged, 3 for no corpus at all."""

import json
import shutil
from pathlib import Path

from making import feverfew


def test_sound_damaged_and_foreign(sample_path: Path, tmp_path: Path) -> None:
    sound = feverfew("fsck", sample_path)
    assert (sound.returncode, sound.stdout) == (0, "")
    assert sound.stderr.endswith(": sound\n")
    assert json.loads(feverfew("fsck", sample_path, "--json").stdout) == {
        "sound": True,
        "problems": [],
        "notes": [],
    }
    directory = tmp_path / "c"
    shutil.copytree(sample_path, directory)
    (trie,) = directory.glob("g-*/titles-1.trie")
    trie.write_bytes(bytes(trie.stat().st_size))
    damaged = feverfew("fsck", directory)
    assert (damaged.returncode, damaged.stdout) == (1, "titles-1.trie has changed\n")
    assert damaged.stderr.endswith(": 1 problem\n")
    foreign = feverfew("fsck", tmp_path)
    assert (foreign.returncode, foreign.stdout) == (3, "")
    assert foreign.stderr.startswith("feverfew: ")
