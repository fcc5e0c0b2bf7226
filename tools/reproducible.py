"""Build the wheel twice, from copies that differ in all that must not matter, and compare.

The copies are of the last commit; they lie elsewhere, are newer, and have other permissions.
"""

import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

_ROOT = Path(__file__).parents[1]


def build(commit: str, folder: Path, *, umask: int, age: int) -> Path:
    """Build a wheel from a copy of a commit."""
    copy = folder / f"copy-{umask:o}"
    archive = subprocess.run(
        ["git", "archive", commit], cwd=_ROOT, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(copy, filter="data")
    for path in copy.rglob("*"):
        os.utime(path, (age, age))
        if path.is_file():
            path.chmod(0o666 & ~umask)
    time = ["git", "show", "-s", "--format=%ct", commit]
    epoch = subprocess.run(time, cwd=_ROOT, check=True, capture_output=True, text=True).stdout
    out = folder / f"wheel-{umask:o}"
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check",
         "--no-deps", "--wheel-dir", str(out), str(copy)],
        check=True, env={**os.environ, "SOURCE_DATE_EPOCH": epoch.strip()},
    )  # fmt: skip
    (wheel,) = out.glob("*.whl")
    return wheel


def main() -> int:
    """Build twice; say the digest, or that there are two."""
    commit = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    with tempfile.TemporaryDirectory(prefix="feverfew-wheel-") as name:
        made = [
            build(commit, Path(name), umask=umask, age=age)
            for umask, age in ((0o022, 1_000_000_000), (0o077, 1_700_000_000))
        ]
        digests = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in made]
        for wheel, digest in zip(made, digests, strict=True):
            print(f"{digest}  {wheel.name}")
    if digests[0] != digests[1]:
        print("The wheels differ.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
