"""The client gives what the library gives, over a real connection."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feverfew import Client
from feverfew.check import Checker
from feverfew.check.verify import policy_of, predict
from feverfew.corpus import Corpus
from feverfew.errors import InputError, NotAllowed, NotFound, ServerError, TooBusy
from feverfew.retrieve import Ranked
from feverfew.score import TASKS, summarise
from feverfew.server.keys import KeyFile
from feverfew.types import Claim, Prediction, Ref, Verdict
from running import Running, running

CLAIMS = ["Fritz Lang directed Metropolis.", "Fritz Lang was born in 1975.", "Is it true?"]


@pytest.fixture
def client(server: Running) -> Iterator[Client]:
    with Client(server.url, timeout=300) as made:
        yield made


def test_reports_are_the_checkers_own(client: Client, sample_path: Path) -> None:
    with Checker.open(sample_path) as checker:
        expected = checker.check(CLAIMS)
    for ours, theirs in zip(client.check(CLAIMS), expected, strict=True):
        assert (ours.claim, ours.verdict, ours.open_reason) == (
            theirs.claim,
            theirs.verdict,
            theirs.open_reason,
        )
        assert ours.probabilities == pytest.approx(theirs.probabilities, abs=1e-3)
        assert [f.ref for f in ours.evidence] == [f.ref for f in theirs.evidence]
        assert (ours.corpus, ours.model) == (theirs.corpus, theirs.model)


def test_more_claims_than_one_request_takes(client: Client) -> None:
    claims = [f"Is {number} a number?" for number in range(70)]
    assert [report.claim for report in client.check(claims)] == claims


def test_predictions_are_the_verifiers_own(client: Client, sample_path: Path) -> None:
    claims = [Claim(id=n, text=text) for n, text in enumerate(CLAIMS[:2])]
    for format in ("fever", "feverous"):  # each reads probabilities in its own way  # noqa: A001
        with Checker.open(sample_path, label_policy=policy_of(format)) as checker:
            expected = predict(checker, claims, format)
        found = list(client.verify(claims, format))
        assert [(p.id, p.label, p.evidence) for p in found] == [
            (p.id, p.label, p.evidence) for p in expected
        ]


def test_a_client_is_a_retriever(client: Client, sample: Corpus) -> None:
    assert client.retrieve(CLAIMS[:2], k=4) == Ranked.open(sample).retrieve(CLAIMS[:2], 4)


def test_pages_and_elements_are_whole(client: Client, sample: Corpus) -> None:
    for title in ("fritz_lang", "Metropolis (1927 film)"):
        assert client.page(title) == sample.page(title)
    ref = Ref.parse("Fritz Lang_cell_0_2_1")
    assert client.element(ref) == sample.element(ref)
    with pytest.raises(NotFound, match="no element"):
        client.element(Ref.parse("Fritz Lang_sentence_999"))


def test_scores_are_the_librarys_own(client: Client) -> None:
    ref = Ref.sentence("Fritz Lang", 0)
    claims = [Claim(id=n, text="x", label=Verdict.SUPPORTED, evidence=((ref,),)) for n in range(4)]
    said = [
        Prediction(id=n, label=Verdict.SUPPORTED, evidence=(ref,) if n else ()) for n in range(4)
    ]
    summary, _ = summarise(TASKS["fever"], claims, said, samples=50, seed=3)
    assert client.score("fever", claims, said, samples=50, seed=3) == summary


def test_health_says_what_is_served(client: Client, sample: Corpus) -> None:
    assert client.health()["pages"] == len(sample)


def test_errors_are_the_librarys_own(client: Client) -> None:
    with pytest.raises(NotFound, match="near names are 'Fritz Lang'"):
        client.page("Fritz Lange")
    with pytest.raises(InputError, match="length"):
        client.check([""])


def test_a_server_that_is_not_there() -> None:
    with Client("http://127.0.0.1:9", timeout=2) as client, pytest.raises(ServerError):
        client.check(CLAIMS[:1])


def test_keys_scopes_and_rates_hold_over_http(tmp_path: Path, sample_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    reads = file.add("reader", ["read"], 2)
    with running(sample_path, "--keys", file.path) as server:
        with Client(server.url) as nobody, pytest.raises(NotAllowed) as refused:
            nobody.page("Vienna")
        assert not refused.value.known
        with Client(server.url) as anyone:
            assert anyone.health()["status"] == "ok"
        with Client(server.url, reads, patience=0) as reader:
            assert reader.page("Vienna").title == "Vienna"
            with pytest.raises(NotAllowed) as lacking:
                reader.check(CLAIMS[:1])
            assert lacking.value.known
            reader.page("Vienna")
            with pytest.raises(TooBusy) as often:
                reader.page("Vienna")
            assert often.value.seconds >= 1
