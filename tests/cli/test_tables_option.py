"""`--tables`: listed by search, looked at by check, cited by verify."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.corpus import Corpus

CLAIM = "Five of the Olympic medals of Nadia Comăneci were gold."


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)], input=stdin)


def test_search_lists_tables(sample: Corpus, tmp_path: Path) -> None:
    found = json.loads(run("search", "--list-tables", CLAIM, "-k", "2", "--json").stdout)
    assert found["id"] == 1
    first, second = found["tables"]
    assert (first["page"], first["table"], first["infobox"]) == ("Nadia Comăneci", 1, False)
    assert first["caption"] == "Olympic medals"
    assert first["score"] >= second["score"]
    shown = run("search", "--list-tables", CLAIM, "-k", "2").stdout.splitlines()
    assert len(shown) == 2
    assert "Nadia Comăneci, table 1" in shown[0]
    assert (
        run("search", "--list-tables", "zymurgical").stdout == "No table shares a word with it.\n"
    )


def test_search_lists_tables_for_a_file(sample: Corpus, tmp_path: Path) -> None:
    (tmp_path / "claims.txt").write_text(f"{CLAIM}\nzymurgical\n{CLAIM}\n")
    given = ("search", "--list-tables", "-k", "1", "--claims", tmp_path / "claims.txt")
    lines = run(*given).stdout.splitlines()
    assert lines == ["1\tNadia Comăneci table_1", "2\t", "3\tNadia Comăneci table_1"]
    made = [json.loads(line) for line in run(*given, "--json").stdout.splitlines()]
    assert [len(one["tables"]) for one in made] == [1, 0, 1]


def test_check_looks_at_tables_unless_told_not_to(sample: Corpus) -> None:
    report = json.loads(run("check", CLAIM, "--max-tables", "0", "--json").stdout)
    assert report["tables"] == []
    assert run("check", CLAIM, "--max-tables", "-1").exit_code == 2


def test_verify_cites_tables_unless_told_not_to(sample: Corpus, tmp_path: Path) -> None:
    (tmp_path / "claims.jsonl").write_text(json.dumps({"id": 1, "claim": CLAIM}) + "\n")
    kinds = []
    for count in ("1", "0"):
        out = tmp_path / f"{count}.jsonl"
        given = (
            tmp_path / "claims.jsonl",
            "-o",
            out,
            "--format",
            "feverous",
            "--max-tables",
            count,
        )
        assert run("verify", *given).exit_code == 0
        evidence = json.loads(out.read_text())["predicted_evidence"]
        kinds.append([kind for _, kind, _ in evidence])
    assert 1 <= kinds[0].count("cell") <= 25
    assert kinds[0].count("sentence") <= 5
    assert "cell" not in kinds[1]
