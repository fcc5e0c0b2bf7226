"""`feverfew check`, as people call it; what it finds is decided elsewhere."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from feverfew.check.checker import MIN_CONFIDENCE, Checker
from feverfew.cli.check import check
from feverfew.cli.main import cli
from feverfew.errors import InputError
from feverfew.types import Report
from making import feverfew
from reported import QUESTION, REFUTED, SILENT, SUPPORTED

KNOWN = {report.claim: report for report in (SUPPORTED, REFUTED, SILENT)}


class Clerk:
    """Stands in for the checker: hands out reports made by hand."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def __enter__(self) -> "Clerk":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def check(self, claims: Sequence[str]) -> list[Report]:
        self.batches.append(len(claims))
        return [KNOWN.get(claim, replace(QUESTION, claim=claim)) for claim in claims]


@pytest.fixture
def clerk(monkeypatch: pytest.MonkeyPatch) -> Clerk:
    made = Clerk()
    monkeypatch.setattr(Checker, "open", lambda **options: made)
    return made


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["check", *map(str, arguments)], input=stdin)


@pytest.mark.usefixtures("clerk")
def test_one_claim_for_people() -> None:
    done = run(SUPPORTED.claim)
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{SUPPORTED.claim}\n✓ SUPPORTED  87 %  ")
    assert "claim:" not in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.usefixtures("clerk")
def test_several_claims_are_set_apart_and_counted() -> None:
    done = run(REFUTED.claim, SILENT.claim)
    assert f"\n\n{SILENT.claim}\n" in done.stdout
    assert done.stdout.endswith("\n\n2 claims: 1 refuted, 1 not enough info\n")
    assert done.exit_code == 0


@pytest.mark.usefixtures("clerk")
def test_json_is_a_line_a_claim() -> None:
    said = [json.loads(line) for line in run(SUPPORTED.claim, "x", "--json").stdout.splitlines()]
    assert [one["verdict"] for one in said] == ["SUPPORTED", "NOT ENOUGH INFO"]
    assert "id" not in said[0]


@pytest.mark.usefixtures("clerk")
def test_claims_of_a_file_keep_their_ids(tmp_path: Path) -> None:
    source = tmp_path / "claims.jsonl"
    source.write_text(json.dumps({"id": 75, "claim": REFUTED.claim}) + "\n")
    said = json.loads(run("--claims", source, "--json").stdout)
    assert (said["id"], said["verdict"]) == (75, "REFUTED")


@pytest.mark.usefixtures("clerk")
@pytest.mark.parametrize("arguments", [("-",), (), ("--claims", "-")])
def test_claims_from_stdin(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--json", stdin=f"{SUPPORTED.claim}\n\n{REFUTED.claim}\n")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["id"], one["verdict"]) for one in said] == [(1, "SUPPORTED"), (3, "REFUTED")]


def test_many_claims_go_in_batches(clerk: Clerk) -> None:
    claims = "".join(f"It is {number}.\n" for number in range(70))
    assert run("--json", "--workers", "1", stdin=claims).stdout.count("\n") == 70
    assert clerk.batches == [32, 32, 6]


def test_what_is_repeated_is_checked_once(clerk: Clerk) -> None:
    done = run("--json", stdin=f"{SILENT.claim}\n{REFUTED.claim}\n" * 50)
    assert clerk.batches == [2]
    verdicts = [json.loads(line)["verdict"] for line in done.stdout.splitlines()]
    assert verdicts == ["NOT ENOUGH INFO", "REFUTED"] * 50


@pytest.mark.usefixtures("clerk")
def test_a_verdict_can_fail_the_command() -> None:
    assert run(SUPPORTED.claim, REFUTED.claim, "--fail-on", "not-enough-info").exit_code == 0
    done = run(SUPPORTED.claim, REFUTED.claim, "--fail-on", "refuted")
    assert done.exit_code == 1
    assert "2 claims: 1 supported, 1 refuted" in done.stdout
    assert "1 claim refuted" in done.stderr
    both = ("--fail-on", "refuted", "--fail-on", "not-enough-info")
    assert run(SILENT.claim, *both).exit_code == 1


@pytest.mark.usefixtures("clerk")
def test_a_page_beside_the_text_or_the_json(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = run(SUPPORTED.claim, REFUTED.claim, "--html", page, "--json")
    assert len(done.stdout.splitlines()) == 2
    assert "wrote" in done.stderr
    text = page.read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "2 claims: 1 supported, 1 refuted" in text


def test_a_page_that_cannot_be_written_is_refused_before_any_checking(
    clerk: Clerk, tmp_path: Path
) -> None:
    for option in ("--html", "--audit"):
        done = run("Is it?", option, tmp_path / "none" / "report.html")
        assert isinstance(done.exception, InputError)
        assert "report.html: cannot be written" in str(done.exception)
        assert not clerk.batches
    # A run that fails later leaves no empty page behind, and keeps the one that was there.
    page = tmp_path / "report.html"
    run("--claims", tmp_path / "none.txt", "--html", page)
    assert not page.exists()
    page.write_text("before")
    run("--claims", tmp_path / "none.txt", "--html", page)
    assert page.read_text() == "before"


@pytest.mark.parametrize(
    "arguments",
    [
        ("A claim.", "--claims", "claims.txt"),
        ("--claims", "claims.txt", "--document", "draft.md"),
    ],
)
def test_one_source_at_a_time(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert "give one of" in done.stderr


def test_no_claim_at_all() -> None:
    done = run(stdin="")
    assert done.exit_code == 2
    assert "the standard input has no claims" in done.stderr


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for option in ("--claims", "--document"):
        done = feverfew("check", option, tmp_path / "none.txt")
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "none.txt" in done.stderr
    broken = tmp_path / "claims.jsonl"
    broken.write_text('{"id": 1, "claim": "Fine."}\n{"id": 2}\n')
    done = feverfew("check", "--claims", broken)
    assert done.returncode == 2
    assert f"{broken}:2:" in done.stderr
    assert done.stdout == ""


@pytest.mark.usefixtures("clerk")
def test_bytes_that_are_no_text() -> None:
    assert json.loads(run("caf\udce9", "--json").stdout)["claim"] == "caf\ufffd"
    assert run("caf\udce9").exit_code == 0


DRAFT = f"# A draft\n\n{REFUTED.claim} Who was she? {SILENT.claim}\n"


@pytest.mark.usefixtures("clerk")
def test_a_document_for_people(tmp_path: Path) -> None:
    source, page = tmp_path / "draft.md", tmp_path / "draft.html"
    source.write_text(DRAFT)
    done = run("--document", source, "--html", page)
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{REFUTED.claim}\n✗ REFUTED")
    assert "Skipped\n  # A draft (a heading)\n  Who was she? (a question)\n" in done.stdout
    assert done.stdout.endswith("\n2 claims: 1 refuted, 1 not enough info\n")
    assert "<h1>draft.md, checked</h1>" in page.read_text("utf-8")


@pytest.mark.usefixtures("clerk")
def test_a_document_as_json_says_where_each_sentence_stands() -> None:
    done = run("--document", "-", "--json", stdin=DRAFT)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [DRAFT[one["start"] : one["end"]] for one in said] == [one["text"] for one in said]
    assert [one.get("skipped") for one in said] == ["a heading", None, "a question", None]
    assert [one.get("verdict") for one in said] == [None, "REFUTED", None, "NOT ENOUGH INFO"]


@pytest.mark.usefixtures("clerk")
def test_a_web_page_is_read_as_people_see_it(tmp_path: Path) -> None:
    source = tmp_path / "draft.html"
    claim = SUPPORTED.claim.replace("Harbour Lights", "<i>Harbour Lights</i>")
    source.write_text(
        f"<!doctype html><html><body><h1>A title</h1><p>{claim}</p>"
        f"<ul><li>{SILENT.claim}</li></ul></body></html>"
    )
    done = run("--document", source, "--json")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    verdicts = {one["text"]: one["verdict"] for one in said if "verdict" in one}
    assert verdicts == {SUPPORTED.claim: "SUPPORTED", SILENT.claim: "NOT ENOUGH INFO"}


@pytest.mark.usefixtures("clerk")
def test_a_document_without_a_statement(tmp_path: Path) -> None:
    source, page = tmp_path / "draft.txt", tmp_path / "draft.html"
    source.write_text("Why?\n")
    done = run("--document", source, "--html", page)
    assert done.exit_code == 0
    assert done.stdout == "Skipped\n  Why? (a question)\n\n0 claims\n"
    assert "Findings" not in page.read_text("utf-8")


@pytest.mark.usefixtures("clerk")
def test_documents_are_annotated_for_other_machines(tmp_path: Path) -> None:
    first, second, log = (tmp_path / name for name in ("a.md", "b,c.md", "log.sarif"))
    first.write_text(DRAFT)
    second.write_text(f"Fine.\n\n{REFUTED.claim}\n{REFUTED.claim}\n")
    done = run("--document", first, second, "--github", "--sarif", log, "--fail-on", "refuted")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["::error", "::notice", *["::error"] * 2]
    assert lines[0].startswith(f"::error file={first},line=3,endLine=3,col=1,endColumn=")
    assert "b%2Cc.md,line=4,endLine=4,col=1," in lines[-1]
    assert "(2 repeated, checked once)" in done.stderr
    (ran,) = json.loads(log.read_bytes())["runs"]
    places = [one["locations"][0]["physicalLocation"]["region"] for one in ran["results"]]
    assert [place["startLine"] for place in places] == [3, 3, 3, 4]
    assert [one["level"] for one in ran["results"]] == ["error", "note", "error", "error"]
    prints = [one["partialFingerprints"]["feverfewClaim/v1"] for one in ran["results"]]
    assert prints[0] == prints[2] == prints[3] != prints[1]


@pytest.mark.usefixtures("clerk")
def test_a_long_document_ends_with_what_was_refuted(tmp_path: Path) -> None:
    source = tmp_path / "long.md"
    source.write_text("\n\n".join([SILENT.claim] * 25 + [REFUTED.claim]))
    said = run("--document", source).stdout
    assert f"\nRefuted\n  {source}:51:1: {REFUTED.claim}" in said
    assert said.endswith("26 claims: 1 refuted, 25 not enough info (24 repeated, checked once)\n")


@pytest.mark.parametrize("option", ["--github", "--sarif"])
def test_annotations_need_a_document(option: str, tmp_path: Path) -> None:
    words = [option] if option == "--github" else [option, str(tmp_path / "log.sarif")]
    done = run("A claim.", *words)
    assert done.exit_code == 2
    assert "need --document" in done.stderr


def test_a_document_that_holds_no_text(tmp_path: Path) -> None:
    for name, data in {"empty.txt": b"", "image.md": bytes(range(256))}.items():
        source = tmp_path / name
        source.write_bytes(data)
        done = run("--document", source)
        assert isinstance(done.exception, InputError)
        assert name in str(done.exception)


@pytest.mark.usefixtures("sample_path")
def test_the_sample_is_checked_in_earnest() -> None:
    done = feverfew("check", "Fritz Lang was born in Vienna.", "Who was he?", "--json")
    assert done.returncode == 0
    born, asked = map(json.loads, done.stdout.splitlines())
    assert "Fritz Lang" in {piece["page"] for piece in born["considered"]}
    assert len(born["considered"]) <= 5
    assert sum(born["probabilities"].values()) == pytest.approx(1)
    assert born["corpus"]
    assert born["model"]
    assert asked["open_reason"] == "not a statement that can be checked"


def test_hops_show_how_pages_were_found() -> None:
    claim = "The river of the city where the director of Metropolis was born is long."
    found = json.loads(run(claim, "--json").stdout)
    assert found["claim"] == claim
    assert found["chain"], "Metropolis leads to Fritz Lang, and he to Vienna"
    assert all(set(hop) == {"page", "by", "how"} for hop in found["chain"])
    shown = run(claim).stdout
    assert "How the pages were found:" in shown
    assert found["chain"][0]["by"] in shown
    assert json.loads(run(claim, "--max-hops", "1", "--json").stdout)["chain"] == []


def test_the_command_lines_threshold_is_the_librarys() -> None:
    option = next(p for p in check.params if p.name == "min_confidence")
    assert option.default == MIN_CONFIDENCE
