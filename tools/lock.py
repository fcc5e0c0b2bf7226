"""Write requirements.lock: what the package and its extras install, with the hash of every file.

The versions are those of this environment, which `constraints.txt` pins; the hashes are those that
the package index gives for all files of a version, so that the lock serves every platform.
"""

import re
import sys
import urllib.request
from importlib.metadata import distribution, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_EXTRAS = ("documents", "client", "web", "mcp", "sign")
_INDEX = "https://pypi.org/simple"
_LINK = re.compile(r'href="[^"]*/([^/"#]+)#sha256=([0-9a-f]{64})"')
_OUT = Path(__file__).parents[1] / "requirements.lock"


def needed(package: str, extras: tuple[str, ...], found: dict[str, str]) -> None:
    """Add everything that a package and its extras need, by name and version."""
    for text in requires(package) or ():
        wanted = Requirement(text)
        applies = wanted.marker is None or any(
            wanted.marker.evaluate({"extra": extra}) for extra in ("", *extras)
        )
        name = canonicalize_name(wanted.name)
        if applies and name not in found and name != "feverfew":
            found[name] = distribution(name).version
            needed(name, tuple(wanted.extras), found)


def hashes(name: str, version: str) -> list[str]:
    """Ask the index for the hashes of all files of a version."""
    with urllib.request.urlopen(f"{_INDEX}/{name}/", timeout=60) as response:
        links = _LINK.findall(response.read().decode())
    start = f"{name}_{version}".replace("-", "_")
    found = set()
    for file, digest in links:
        spelled = re.sub(r"[-_.]+", "_", file.lower())
        wanted = re.sub(r"[-_.]+", "_", start)
        if spelled.startswith(f"{wanted}_") and file.endswith((".whl", ".tar.gz")):
            found.add(digest)
    return sorted(found)


def main() -> int:
    """Write the lock."""
    found: dict[str, str] = {}
    needed("feverfew", _EXTRAS, found)
    lines = ["# What feverfew and its extras install; written by `make lock`."]
    for name, version in sorted(found.items()):
        digests = hashes(name, version)
        if not digests:
            print(f"the index has no file of {name} {version}", file=sys.stderr)
            return 1
        lines.append(f"{name}=={version} \\")
        lines += [f"    --hash=sha256:{digest} \\" for digest in digests]
        lines[-1] = lines[-1].removesuffix(" \\")
    _OUT.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(found)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
