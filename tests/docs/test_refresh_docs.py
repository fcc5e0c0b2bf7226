"""The tool that runs the docs' examples."""

from pathlib import Path

import pytest

from tools.matching import matches, renewed
from tools.refresh_docs import blocks, examples, refresh

PAGE = """\
# Title

<!-- run: printf 'a\\nb\\nc\\n' > letters -->
```console
$ cat letters
a
…
$ echo "in 3.2 s, 41 %"
in 1.0 s, 42 %
$ false
$ echo $?
0
```

<!-- not run: needs a network -->
```console
$ curl example.org
```

```python
x = 6
print(x)  # 7
x * 2  # 12
for n in range(2):
    print(n)
#> 0
#> 2
y = 1  # a comment
```
"""


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("a\n…\nd", "a\nb\nc\nd"),
        ("a\n…", "a"),
        ("…", ""),
        ("x … z", "x y z"),
        ("91 %, <1 %", "93 %, 2 %"),
        ("0.912 in 1.2 s", "0.921 in 14 s"),
        ("(5 claims a second)", "(12 claims a second)"),
        ("built 2025-01-01T10:00:00+00:00", "built 2026-11-18T00:48:43+00:00"),
        ("trailing  ", "trailing"),
    ],
)
def test_equal_enough(shown: str, printed: str) -> None:
    assert matches(shown, printed)


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("SUPPORTED", "REFUTED"),
        ("91 %", "80 %"),
        ("0.91", "0.81"),
        ("255 pages", "256 pages"),
        ("a\n…\nd", "a\nb\nc"),
        ("a", "a\nb"),
        ("", "a"),
    ],
)
def test_not_equal(shown: str, printed: str) -> None:
    assert not matches(shown, printed)


@pytest.mark.parametrize(
    ("shown", "printed", "new"),
    [
        ("91 % in 2 s", "92 % in 3 s", "92 % in 2 s"),
        ("a …\nb", "a long\nb", "a …\nb"),
        ("old\n…\nend", "new\n1\n2\nlast", "new\n…\nlast"),
        ("ol…", "newer", "ne…"),
        ("old", "new\nlines", "new\nlines"),
        ("", "new", "new"),
    ],
)
def test_renewing_keeps_elisions_and_times(shown: str, printed: str, new: str) -> None:
    assert renewed(shown, printed) == new


def test_blocks_of_a_page() -> None:
    found = [(block.language, block.not_run) for block in blocks(PAGE)]
    assert found == [
        ("hidden", ""),
        ("console", ""),
        ("console", "needs a network"),
        ("python", ""),
    ]


def test_a_page_is_run_and_renewed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, "utf-8")
    ran = examples(page, tmp_path / "home", tmp_path / "work")
    assert [example.source for example in ran if not example.current] == [
        "echo $?",
        "print(x)",
        "for n in range(2):\n    print(n)",
    ]
    new = refresh(PAGE, ran)
    right = PAGE.replace("echo $?\n0", "echo $?\n1").replace("# 7", "# 6").replace("#> 2", "#> 1")
    assert new == right.replace("42 %", "41 %")


def test_what_fails_says_so(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ exit 3\n```\n\n```python\n1 / 0\n```\n", "utf-8")
    errors = [example.error for example in examples(page, tmp_path / "home", tmp_path / "work")]
    assert errors[0].startswith("exit code 3")
    assert "ZeroDivisionError" in errors[1]
