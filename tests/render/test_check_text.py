"""Reports on a terminal, wide and narrow, and in a pipe."""

import io
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from rich.console import Console

from feverfew.render.terminal import print_report, print_skipped
from feverfew.types import Report
from reported import ALL, HOSTILE, PARTLY, QUESTION, REFUTED, SILENT, SUPPORTED


def shown(
    report: Report, *, width: int = 80, terminal: bool = True, encoding: str = "utf-8"
) -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    print_report(report, Console(file=file, width=width, force_terminal=terminal, highlight=False))
    file.flush()
    return raw.getvalue().decode(encoding)


def plain(report: Report, *, width: int = 80) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=True, color_system=None)
    print_report(report, console)
    return file.getvalue()


def test_a_supported_claim() -> None:
    assert (
        plain(SUPPORTED)
        == """\
The director of Harbour Lights was born in Tartu.
✓ SUPPORTED  87 %  refuted 3 %, not enough info 10 %
  · Harbour Lights (film)  neutral alone, decisive
    Harbour Lights is a 1931 film directed by Ada Quill.
    Harbour_Lights_-LRB-film-RRB-_sentence_0
  + Ada Quill › Life  supports, found by following Harbour Lights (film)
    Quill was born in Tartu.  Ada_Quill_sentence_1
  • Two pages support it.
  • It takes all of these together.
"""
    )


def test_a_refuted_claim_shows_the_other_side() -> None:
    lines = plain(REFUTED).splitlines()
    assert lines[1] == "✗ REFUTED  >99 %  supported <1 %, not enough info <1 %"
    assert "  Supporting evidence:" in lines
    assert "  • The year differs: 1931, not 1932." in lines


def test_an_open_claim_says_why_before_what_is_near() -> None:
    lines = plain(SILENT).splitlines()
    assert lines[1].startswith("? NOT ENOUGH INFO  70 %")
    assert lines[2].startswith("  Pages were found, but they do not say.")
    assert lines.index("  Closest evidence:") > 2


def test_parts_are_indented_with_verdicts_of_their_own() -> None:
    lines = plain(PARTLY).splitlines()
    assert "    ✗ REFUTED  >99 %  supported <1 %, not enough info <1 %" in lines
    assert "    Ada Quill kept bees." in lines
    assert sum("Closest" in line for line in lines) == 1
    assert lines[-2:] == [
        "      · Ada Quill › Life  found by following Harbour Lights (film)",
        "        Quill was born in Tartu.  Ada_Quill_sentence_1",
    ]


def test_what_is_no_statement_has_no_percentage() -> None:
    assert "%" not in plain(QUESTION)
    assert "It is not a statement that can be checked. This is a question." in plain(QUESTION)


@pytest.mark.parametrize("report", ALL, ids=lambda r: r.claim[:12])
@pytest.mark.parametrize("width", [80, 50, 24])
def test_a_window_is_kept_to(report: Report, width: int) -> None:
    text = plain(report, width=width)
    assert max(map(len, text.splitlines())) <= width
    assert all(line == line.rstrip() for line in text.splitlines())
    assert width < 80 or text.count("\n") <= 15 * max(1, len(report.parts))


def test_the_claims_words_are_bold_on_a_terminal() -> None:
    assert "Quill was \x1b[1mborn\x1b[0m in \x1b[1mTartu\x1b[0m." in shown(SUPPORTED)


def test_no_color_takes_the_colours_away(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[1;32m" in shown(SUPPORTED)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;32m" not in shown(SUPPORTED)


def test_a_pipe_gets_whole_lines_without_styles() -> None:
    text = shown(SUPPORTED, width=30, terminal=False)
    assert "\x1b" not in text
    assert (
        "    Harbour Lights is a 1931 film directed by Ada Quill.  "
        "Harbour_Lights_-LRB-film-RRB-_sentence_0\n" in text
    )


def test_signs_have_stand_ins_where_there_is_only_ascii() -> None:
    for report in ALL:
        assert shown(report, terminal=False, encoding="ascii").isascii()
    assert "\n? NOT ENOUGH INFO" in shown(SILENT, terminal=False, encoding="ascii")
    text = shown(REFUTED, terminal=False, encoding="ascii")
    assert "- REFUTED" in text
    assert "  * The year differs" in text
    assert "Ada Quill > Life" in shown(SUPPORTED, terminal=False, encoding="ascii")


def test_a_page_cannot_steer_the_terminal() -> None:
    text = plain(HOSTILE)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "[31m" in text  # as text, with a sign where the escape was


def test_markup_is_text() -> None:
    assert "[bold]Quill[/bold]" in plain(replace(SILENT, claim="[bold]Quill[/bold]"))


def test_an_endless_claim_is_cut_and_an_empty_one_is_named() -> None:
    assert plain(replace(QUESTION, claim="word " * 10_000)).count("\n") < 10
    assert plain(replace(QUESTION, claim="")).startswith("(nothing)\n")


@pytest.mark.parametrize(("encoding", "quoted"), [("utf-8", "“{}”"), ("ascii", '"{}"')])
def test_a_sentence_of_a_document_says_as_what_it_was_read(encoding: str, quoted: str) -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    print_report(SILENT, Console(file=file), heading="She kept bees.")
    file.flush()
    lines = raw.getvalue().decode().splitlines()
    assert lines[:2] == ["She kept bees.", f"read as {quoted.format(SILENT.claim)}"]


def test_what_was_passed_over_is_listed_with_the_reason() -> None:
    file = io.StringIO()
    passage = SimpleNamespace(text="Is it\nso?", skipped="a question")
    print_skipped([passage], Console(file=file))  # type: ignore[list-item]
    assert file.getvalue() == "Skipped\n  Is it so? (a question)\n"
