"""An audit report names all that a check rests on, and a replay says what has changed."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace as with_

from feverfew.check import Checker
from feverfew.corpus.update import remove, replace
from feverfew.errors import InputError
from feverfew.render.as_json import page_fingerprint
from feverfew.render.audit import Audit, Settings, audit_of, read_audit, write_audit
from feverfew.render.replay import compare
from feverfew.types import Report, Verdict
from making import feverfew, made, page

PAGES = {
    "Ada Quill": ["Ada Quill was a painter.", "Quill was born in Tartu in 1901."],
    "Tartu": ["Tartu is a city in Estonia.", "It lies on the river Emajõgi."],
}
CLAIM = "Ada Quill was born in Tartu."


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return made(tmp_path, PAGES)


def audited(corpus: Path) -> tuple[Audit, list[Report]]:
    with Checker.open(corpus) as checker:
        reports = checker.check([CLAIM])
        settings = Settings(str(corpus))
        return audit_of(reports, checker.corpus, checker.fingerprint, settings), reports


def test_it_names_pages_corpus_and_model(corpus: Path) -> None:
    audit, reports = audited(corpus)
    with Checker.open(corpus) as checker:
        assert audit.corpus == checker.corpus.fingerprint
        assert audit.model == checker.fingerprint
        assert audit.pages["Ada Quill"] == page_fingerprint(checker.corpus.page("Ada Quill"))
    assert audit.reports == tuple(reports)
    assert audit.time.endswith("+00:00")


@pytest.mark.parametrize("name", ["audit.json", "audit.html"])
def test_both_forms_are_read_back_whole(corpus: Path, tmp_path: Path, name: str) -> None:
    audit, _ = audited(corpus)
    write_audit(tmp_path / name, audit)
    assert with_(read_audit(tmp_path / name).audit, html="") == audit


def test_no_claim_breaks_out_of_the_page(tmp_path: Path, corpus: Path) -> None:
    nasty = "</script><script>alert(1)</script><!-- Quill"
    with Checker.open(corpus) as checker:
        reports = checker.check([nasty])
        audit = audit_of(reports, checker.corpus, checker.fingerprint, Settings())
    write_audit(tmp_path / "a.html", audit)
    written = (tmp_path / "a.html").read_text("utf-8")
    assert written.count("<script") == written.count("</script>") == 1
    assert with_(read_audit(tmp_path / "a.html").audit, html="") == audit


@pytest.mark.parametrize("content", ["", "{}", "[1]", "<html></html>", '{"audit": 2}'])
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.json").write_text(content, "utf-8")
    with pytest.raises(InputError, match="is not an audit report"):
        read_audit(tmp_path / "a.json")


def test_a_repetition_holds(corpus: Path) -> None:
    first, second = audited(corpus)[0], audited(corpus)[0]
    replay = compare(first, second)
    assert replay.holds
    assert replay.changes == ()
    assert replay.claims[0].changes == ()


def test_another_verdict_does_not_hold(corpus: Path) -> None:
    old, _ = audited(corpus)
    refuted = old.reports[0].verdict is Verdict.REFUTED
    verdict = Verdict.SUPPORTED if refuted else Verdict.REFUTED
    changed = with_(old.reports[0], verdict=verdict)
    new = with_(old, model="another", pages={}, reports=(changed,))
    replay = compare(old, new)
    assert not replay.holds
    assert f"the verdict is {verdict.value}" in replay.claims[0].changes[0]
    assert any(change.startswith("model: ") for change in replay.changes)
    assert "page 'Ada Quill': gone" in replay.changes


def test_the_command_says_what_changed(corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    checked = feverfew("check", CLAIM, "--corpus", corpus, "--audit", file)
    assert checked.returncode == 0, checked.stderr
    asked = feverfew("replay", file)
    assert asked.returncode == 2
    assert "name yours with --corpus, or open that with --yes" in asked.stderr
    again = feverfew("replay", file, "--yes")
    said = again.stdout.splitlines()[-1]
    assert (again.returncode, said) == (0, "1 of 1 still hold; not verified by a signature")

    replace(corpus, [page("Ada Quill", "Ada Quill was a painter.", "Quill was born in Riga.")])
    later = feverfew("replay", file, "--yes", "--json")
    assert later.returncode == 1, later.stderr
    found = json.loads(later.stdout)
    assert not found["holds"]
    assert any(change.startswith("corpus: ") for change in found["changes"])
    assert "page 'Ada Quill': changed" in found["changes"]

    remove(corpus, ["Ada Quill"])
    gone = feverfew("replay", file, "--corpus", corpus)
    assert gone.returncode == 1
    assert "page 'Ada Quill': gone" in gone.stdout


def test_a_document_is_audited_too(corpus: Path, tmp_path: Path) -> None:
    document, file = tmp_path / "a.md", tmp_path / "a.html"
    document.write_text("# Quill\n\nAda Quill was a painter. She was born in Tartu.\n", "utf-8")
    checked = feverfew("check", "--document", document, "--corpus", corpus, "--audit", file)
    assert checked.returncode == 0, checked.stderr
    assert len(read_audit(file).audit.reports) == 2
    again = feverfew("replay", file, "--corpus", corpus)
    assert again.returncode == 0, again.stdout


def test_replay_needs_a_file(tmp_path: Path) -> None:
    done = feverfew("replay", tmp_path / "none.json", "--model", tmp_path)
    assert done.returncode == 2
    assert "cannot be read" in done.stderr
