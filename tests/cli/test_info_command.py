"""`feverfew info` and `fsck`: what a corpus holds, and whether it is sound."""

import json
from pathlib import Path

from click.testing import CliRunner

from feverfew.cli.main import cli
from feverfew.corpus import Corpus
from making import feverfew, made


def test_info_for_programs_and_for_people(sample: Corpus) -> None:
    done = CliRunner().invoke(cli, ["info", "--json"])
    found = json.loads(done.stdout)
    assert found["pages"] == len(sample) == found["built"]["pages"]
    assert found["fingerprint"] == sample.fingerprint
    assert found["bytes"] > 100_000
    assert found["names"] > found["pages"]
    assert found["links"] > found["missing_links"] > 0
    assert "cinema.xml" in found["sources"]
    shown = CliRunner().invoke(cli, ["info", "--corpus", str(sample.path)])
    assert shown.exit_code == 0
    assert sample.fingerprint in shown.stdout


def test_info_does_not_look_for_links_that_no_one_needed(tmp_path: Path) -> None:
    corpus = made(tmp_path, {"Vienna": ["Not Linz ."], "Linz": ["By the Danube ."]})
    for _ in range(2):
        found = json.loads(
            CliRunner().invoke(cli, ["info", "--corpus", str(corpus), "--json"]).stdout
        )
        assert found["links"] is None
    shown = CliRunner().invoke(cli, ["info", "--corpus", str(corpus)])
    assert "not linked yet" in shown.stdout


def test_info_of_what_is_no_corpus(tmp_path: Path) -> None:
    done = feverfew("info", "--corpus", tmp_path / "nowhere")
    assert (done.returncode, done.stdout) == (3, "")
    assert "does not exist; make a corpus with 'feverfew index" in done.stderr
