"""Every example in README and docs runs, and prints what they show."""

from pathlib import Path

import pytest

from tools.refresh_docs import PAGES, ROOT, blocks, examples

RUN = {"console", "python"}
DATA = {"json", "toml", "xml", "html", "yaml", "text", "http"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all pages: the sample corpus is built once."""
    return tmp_path_factory.mktemp("home")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_print_what_the_page_shows(page: Path, home: Path, tmp_path: Path) -> None:
    for example in examples(page, home, tmp_path):
        assert not example.error, f"{example.source}\n{example.error}"
        assert example.current, (
            f"{example.source}\nprints\n{example.printed}\nbut the page shows\n{example.shown}\n"
            "To renew it: python -m tools.refresh_docs"
        )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_says_what_it_is(page: Path) -> None:
    """No command hides in a block that is not run."""
    for block in blocks(page.read_text("utf-8")):
        assert block.language in RUN | DATA | {"hidden"}, f"line {block.line}: {block.language!r}"
        if block.language == "text":
            commands = [line for line in block.content if line.startswith(("$ ", "pip ", "make "))]
            assert not commands, f"line {block.line}: a command in a text block"


def test_the_readme_shows_the_library_in_ten_lines() -> None:
    found = [b for b in blocks((ROOT / "README.md").read_text("utf-8")) if b.language == "python"]
    assert len([line for line in found[0].content if line.strip()]) <= 10
