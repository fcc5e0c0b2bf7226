"""A judge of the user's own, behind a server that really speaks the protocol."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from chat_server import chat_server
from feverfew.check import Checker
from feverfew.cli.main import cli
from feverfew.errors import InputError, ServerError
from feverfew.judge import external
from feverfew.judge.external import Calibration, RemoteReader, calibrated, fit
from feverfew.models.encoder import Encoder, shipped_folder
from feverfew.types import Verdict

PAIRS = [
    ("Lang was born in 1890.", "Lang was born in 1890."),
    ("Lang was born in 1975.", "Lang was born in 1890."),
    ("Lang was born in 1975.", "Lang was a director."),
]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    for name in external.KEYS:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("logprobs", [True, False])
def test_pairs_are_read_with_probabilities_or_without(logprobs: bool) -> None:
    with chat_server(logprobs=logprobs, busy=2) as server:
        reader = RemoteReader(server.url, "tiny")
        rows = reader.logits(PAIRS)
        relevance = reader.relevance(PAIRS)
    assert rows[:, :3].argmax(1).tolist() == [0, 1, 2]
    assert (rows[:, 4:7] == rows[:, :3]).all()
    assert relevance[2] < 0.5 < min(relevance[:2])
    assert {one["model"] for one in server.asked} == {"tiny"}
    assert reader.logits([]).shape == (0, 10)


def test_the_key_is_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with chat_server(key="secret") as server:
        with pytest.raises(ServerError, match="answered 401; set FEVERFEW_JUDGE_KEY"):
            RemoteReader(server.url, "tiny").logits(PAIRS)
        monkeypatch.setenv("FEVERFEW_JUDGE_KEY", "secret")
        assert len(RemoteReader(server.url, "tiny").logits(PAIRS)) == 3


def test_what_cannot_be_asked_says_so() -> None:
    with chat_server() as server:
        url = server.url
    with pytest.raises(ServerError, match="cannot be asked"):
        RemoteReader(url, "tiny").logits(PAIRS[:1])
    with pytest.raises(InputError, match="no address"):
        RemoteReader("localhost:8000", "tiny")
    with pytest.raises(InputError, match="--judge-model"):
        RemoteReader("http://localhost:8000", "")


def test_reports_are_the_same_but_for_who_judged(sample_path: Path) -> None:
    claims = ["Fritz Lang was born in 1890.", "Fritz Lang was born in 1975."]
    with chat_server() as server:
        with Checker.open(sample_path, judge=server.url, judge_model="tiny") as checker:
            right, wrong = checker.check(claims)
        with Checker.open(sample_path, judge=server.url, judge_model="other") as other:
            prints = {checker.fingerprint, other.fingerprint}
    assert (right.verdict, wrong.verdict) == (Verdict.SUPPORTED, Verdict.REFUTED)
    assert wrong.evidence[0].ref.page == "Fritz Lang"
    assert server.asked
    with Checker.open(sample_path) as own:
        assert own.fingerprint not in prints
    assert len(prints) == 2
    assert right.model in prints


def test_a_calibration_is_fitted_and_used(tmp_path: Path) -> None:
    pairs, made = tmp_path / "pairs.jsonl", tmp_path / "tiny.json"
    # One in four labels is another than the judge's: it should be less sure than it is.
    labels = [["SUPPORTED", "R", "NOT ENOUGH INFO"][n % 3] for n in range(40)]
    labels = ["N" if n % 4 == 0 else label for n, label in enumerate(labels)]
    lines = [
        {"claim": PAIRS[n % 3][0], "evidence": PAIRS[n % 3][1], "label": label}
        for n, label in enumerate(labels)
    ]
    pairs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with chat_server() as server:
        at = ["--judge", server.url, "--judge-model", "tiny"]
        done = CliRunner().invoke(cli, ["calibrate", str(pairs), *at, "-o", str(made), "--json"])
        assert done.exit_code == 0, done.output
        said = json.loads(done.stdout)
        assert said["fitted_on"] == 40
        assert said["loss"] < said["loss_before"]
        words = ["check", "Fritz Lang was born in 1975.", *at, "--judge-calibration", str(made)]
        report = json.loads(CliRunner().invoke(cli, [*words, "--json"]).stdout)
    assert report["verdict"] == "REFUTED"
    plain, fitted = (calibrated(one, (0.0, 3.0)) for one in (Calibration(), Calibration.read(made)))
    assert fitted[1] < plain[1]
    pairs.write_text('{"claim": "x", "evidence": "y", "label": "MAYBE"}\n')
    failed = CliRunner().invoke(cli, ["calibrate", str(pairs), *at, "-o", str(made)])
    assert "pairs.jsonl:1: unknown label 'MAYBE'" in str(failed.exception)
    other = [*words[:-3], "other", *words[-2:]]
    assert "is of the model 'tiny'" in str(CliRunner().invoke(cli, other).exception)


def test_a_folder_is_a_judge_too(sample_path: Path, tmp_path: Path) -> None:
    folder = shipped_folder()  # as `train import` writes them: an encoder with its heads
    with Checker.open(sample_path, "small", judge=str(folder)) as checker:
        (report,) = checker.check(["Fritz Lang was born in Vienna."])
        large = checker.judge.large
        assert large is not None
        assert large.fingerprint == Encoder.open(folder).fingerprint
    assert report.verdict is Verdict.SUPPORTED
    pairs, made = tmp_path / "pairs.jsonl", tmp_path / "own.json"
    lines = [
        {"claim": claim, "evidence": evidence, "label": "SRN"[n]}
        for n, (claim, evidence) in enumerate(PAIRS)
    ]
    pairs.write_text("".join(json.dumps(line) + "\n" for line in lines * 4))
    words = ["calibrate", str(pairs), "--judge", str(folder), "--model", "small", "-o", str(made)]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    assert Calibration.read(made).model == large.fingerprint


def test_files_are_judged_by_it_too(sample_path: Path, tmp_path: Path) -> None:
    claims, pairs, out = tmp_path / "c.txt", tmp_path / "p.jsonl", tmp_path / "out.jsonl"
    claims.write_text("Fritz Lang was born in 1890.\nFritz Lang was born in 1975.\n")
    pairs.write_text("".join(json.dumps({"claim": c, "evidence": e}) + "\n" for c, e in PAIRS))
    with chat_server() as server:
        at = ["--judge", server.url, "--judge-model", "tiny"]
        words = ["verify", str(claims), "--corpus", str(sample_path), "-o", str(out)]
        done = CliRunner().invoke(cli, [*words, *at])
        assert done.exit_code == 0, done.output
        asked = len(server.asked)
        judged = CliRunner().invoke(cli, ["judge", str(pairs), *at])
        assert len(server.asked) > asked > 0
        # A file by one judge is not continued by another.
        out.write_bytes(out.read_bytes().splitlines(keepends=True)[0])
        again = CliRunner().invoke(cli, words)
    assert [json.loads(line)["label"] for line in judged.stdout.splitlines()] == ["S", "R", "N"]
    assert again.exit_code != 0


@pytest.mark.parametrize("words", [("check", "x"), ("verify", "x", "-o", "y"), ("judge", "x")])
def test_options_without_a_judge_are_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    given = [str(tmp_path / "x") if word == "x" else word for word in words]
    (tmp_path / "x").write_text("A claim is a claim.\n")
    done = CliRunner().invoke(cli, [*given, "--judge-model", "tiny"])
    assert done.exit_code == 2
    assert "need --judge URL" in done.stderr


def test_a_perfect_judge_is_made_surer_and_a_random_one_less() -> None:
    said = [(3.0, -3.0), (-3.0, 3.0), (-3.0, -3.0)] * 20
    sure, before = fit(said, [0, 1, 2] * 20)
    assert sure.loss <= before
    random = np.random.default_rng(0).integers(0, 3, 60).tolist()
    unsure, _ = fit(said, random)
    assert unsure.scale < 0.5 < sure.scale
