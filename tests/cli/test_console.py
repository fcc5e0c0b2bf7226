"""What a page holds cannot command the terminal that shows it."""

import io
from pathlib import Path

from rich.table import Table
from rich.text import Text

from feverfew.cli.console import PlainConsole
from making import fever_file, run_child

HOSTILE = "\x1b]0;owned\x07\x1b[2Jclean\x9b31m\r\u202eback"


def test_text_loses_its_escapes_and_the_console_keeps_its_own() -> None:
    out = io.StringIO()
    console = PlainConsole(file=out, force_terminal=True, color_system="standard")
    table = Table("a")
    table.add_row(HOSTILE)
    for shown in (HOSTILE, Text(HOSTILE), table):
        console.print(shown, style="bold")
    said = out.getvalue()
    assert "\x1b[1m" in said
    for bad in ("\x1b]", "\x1b[2J", "\x07", "\x9b", "\r", "\u202e"):
        assert bad not in said


def test_show_and_errors_print_no_escapes(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "p.jsonl", {"Linz": [f"A {HOSTILE.split(chr(13))[0]} city ."]})
    code = (
        "import sys\nfrom feverfew.corpus.build import build\nbuild([sys.argv[1]], sys.argv[2])\n"
        "sys.argv = ['feverfew', 'show', '--corpus', sys.argv[2], 'Linz']\n"
        "from feverfew.cli.main import main\nmain()\n"
    )
    _, out, err = run_child(code, source, tmp_path / "c")
    assert "city" in out, err
    assert "\x1b" not in out + err
