"""Whatever is done to an audit report is noticed: by its digest, its signature, or a replay."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from feverfew.errors import InputError, Tampered
from feverfew.render.audit import audit_file, read_audit, require_signature
from feverfew.render.replay import compare
from feverfew.render.signing import SigningKey, VerifyKey
from feverfew.types import Verdict
from making import feverfew
from tools.torture.tampering import OUTSIDE, RECOMPUTED, SIGNED, Forgery

EVERY = {**RECOMPUTED, **SIGNED}


@pytest.fixture(scope="module")
def forgery(tmp_path_factory: pytest.TempPathFactory) -> Forgery:
    return Forgery.make(tmp_path_factory.mktemp("forged"))


def test_there_are_many_ways() -> None:
    assert len(EVERY) + len(OUTSIDE) >= 41


@pytest.mark.parametrize("html", [False, True])
def test_an_honest_report_is_believed(forgery: Forgery, html: bool) -> None:
    assert forgery.noticed(forgery.file(html=html), key=True) == ""


@pytest.mark.parametrize("name", EVERY)
def test_an_edit_is_noticed(forgery: Forgery, name: str) -> None:
    assert forgery.noticed(forgery.forged(EVERY[name], renewed=False), key=False)


@pytest.mark.parametrize("name", EVERY)
def test_an_edit_with_a_new_digest_is_noticed_by_who_has_the_key(
    forgery: Forgery, name: str
) -> None:
    assert forgery.noticed(forgery.forged(EVERY[name], renewed=True), key=True)


@pytest.mark.parametrize("name", RECOMPUTED)
def test_an_edit_with_a_new_digest_is_noticed_by_a_replay(forgery: Forgery, name: str) -> None:
    forged = forgery.forged(RECOMPUTED[name], renewed=True)
    assert forgery.noticed(forged, key=False)


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_changed_file_is_noticed(forgery: Forgery, name: str) -> None:
    page = forgery.file(html=True)
    changed = OUTSIDE[name](page)
    assert changed != page
    assert forgery.noticed(changed, key=True)


def test_a_page_is_drawn_from_its_reports(forgery: Forgery, tmp_path: Path) -> None:
    """Whoever writes another page and renews all digests is found out by drawing it again."""
    first = forgery.audit.reports[0]
    refuted = first.verdict is Verdict.REFUTED
    other = replace(first, verdict=Verdict.SUPPORTED if refuted else Verdict.REFUTED)
    lie = replace(forgery.audit, reports=(other, *forgery.audit.reports[1:]))
    lying, honest = audit_file(lie, html=True), audit_file(forgery.audit, html=True)
    html = read_audit(_kept(tmp_path, lying)).audit.html
    mixed = replace(forgery.audit, html=html)
    from feverfew.render import audit

    made = audit.AuditFile(mixed, audit._digest(audit._content(mixed)))
    found = audit._INSIDE.search(lying)
    assert found
    forged = audit._written(made, lying[: found.start()], lying[found.end() :])
    assert forged != honest
    with pytest.raises(Tampered, match="does not show the reports"):
        read_audit(_kept(tmp_path, forged))


def _kept(folder: Path, data: bytes) -> Path:
    (folder / "a.html").write_bytes(data)
    return folder / "a.html"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(html=st.booleans(), place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_any_flipped_bit_is_noticed(forgery: Forgery, html: bool, place: float, bit: int) -> None:
    data = bytearray(forgery.file(html=html))
    data[int(place * len(data))] ^= 1 << bit
    assert forgery.noticed(bytes(data), key=True)


def test_numbers_may_differ_a_little_if_that_is_allowed(forgery: Forgery) -> None:
    first = forgery.audit.reports[0]
    odds = {verdict: share + 0.001 for verdict, share in first.probabilities.items()}
    rounded = replace(
        forgery.audit, reports=(replace(first, probabilities=odds), *forgery.audit.reports[1:])
    )
    assert not compare(forgery.audit, rounded).holds
    assert compare(forgery.audit, rounded, tolerance=0.01).holds


def test_no_report_is_no_proof(forgery: Forgery) -> None:
    none = replace(forgery.audit, reports=())
    assert not compare(none, none).holds


@pytest.mark.parametrize(
    "content", [b"", b"secret", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_a_bad_key_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "k").write_bytes(content)
    for kind in (SigningKey, VerifyKey):
        with pytest.raises(InputError, match="Ed25519 key in PEM"):
            kind.open(tmp_path / "k")
        with pytest.raises(InputError, match="cannot be read"):
            kind.open(tmp_path / "none")


def test_sign_and_replay_from_the_command_line(forgery: Forgery, tmp_path: Path) -> None:
    folder = forgery._folder
    file, corpus, claim = tmp_path / "a.json", folder / "c", "Ada Quill was born in Tartu."
    words = ("check", claim, "--corpus", corpus, "--model", "small", "--audit", file)
    done = feverfew(*words, "--sign", folder / "audit.key")
    assert done.returncode == 0, done.stderr
    again = ("replay", file, "--corpus", corpus, "--key", folder / "audit.pub")
    held = feverfew(*again)
    assert (held.returncode, held.stdout.splitlines()[-1]) == (0, "1 of 1 still hold; signed")
    file.write_text(file.read_text("utf-8").replace("painter", "sculptor"), "utf-8")
    forged = feverfew(*again, "--json")
    assert forged.returncode == 1
    assert "another digest" in json.loads(forged.stdout)["changes"][0]
    assert feverfew(*words).returncode == 0
    unsigned = feverfew(*again)
    assert (unsigned.returncode, unsigned.stdout) == (1, "the file is not signed\n")
    assert feverfew("check", claim, "--sign", folder / "audit.key").returncode == 2


def test_another_key_is_noticed(forgery: Forgery, tmp_path: Path) -> None:
    other = Forgery.make(tmp_path)
    (tmp_path / "a.json").write_bytes(forgery.file())
    held = read_audit(tmp_path / "a.json")
    with pytest.raises(Tampered, match="not by this key"):
        require_signature(held, other._verify)
