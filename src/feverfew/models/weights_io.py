"""Weight files: from a model's folder, or the shipped ones.

A folder of weights may have `digests.json`, with the digests of its files. A listed file is
verified whenever it is opened, because a changed bit could change verdicts silently. `python -m
feverfew.models.weights_io FOLDER` rewrites the list.
"""

import hashlib
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec

from feverfew.errors import InputError

DIGESTS = "digests.json"
ENCODER = (
    *("model.bin", "heads.json", "tokenizer.json", "config.json", "vocabulary.json"),
    "label_policies.json",
)
"""The files of an encoder; all of them can change a verdict."""
T = TypeVar("T")


def verified(path: Path) -> bytes:
    """Read a weight file and verify its digest, if it is listed."""
    data = path.read_bytes()
    _require(path, _digest(data))
    return data


def _require(path: Path, digest: str) -> str:
    """Return a file's digest; raise if it differs from the listed one."""
    if _listed(path.parent).get(path.name, digest) != digest:
        raise InputError(
            f"{path} is damaged: it is not what {DIGESTS} says; install the model again or, if you "
            f"changed it, run 'python -m feverfew.models.weights_io {path.parent}'"
        )
    return digest


def encoder_fingerprint(folder: Path) -> str:
    """Return the fingerprint of an encoder's weights, after verifying them."""
    paths = [folder / name for name in ENCODER if (folder / name).is_file()]
    named = [_require(path, _digest(path.read_bytes())) for path in paths]
    return hashlib.blake2b("".join(named).encode(), digest_size=8).hexdigest()


def write_digests(folder: Path) -> None:
    """Write the digests of a folder's weight files."""
    found = {
        path.name: _digest(path.read_bytes())
        for path in sorted(folder.iterdir())
        if path.suffix in (".json", ".bin") and path.name != DIGESTS
    }
    (folder / DIGESTS).write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


def renew_digests(folder: Path) -> None:
    """Update the digests after a file was written, if there is a list."""
    if (folder / DIGESTS).is_file():
        write_digests(folder)


def _listed(folder: Path) -> dict[str, str]:
    path = folder / DIGESTS
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is damaged ({error}); install the model again") from None


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def shipped_weights(name: str) -> bytes:
    """Read a small weight file of the package."""
    return verified(Path(str(files("feverfew.weights"))) / name)


def read_weights(folder: Path | None, name: str, kind: type[T]) -> T:
    """Read a file of weights from a model's folder, or else from the package."""
    own = folder / name if folder else None
    if own is None or not own.is_file():
        return msgspec.json.decode(shipped_weights(name), type=kind)
    try:
        return msgspec.json.decode(verified(own), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"{own}: {error}; fit it to the model again, or delete it") from None


@cache
def shipped_fingerprint() -> str:
    """Return the fingerprint of all small weights of the package."""
    digest = hashlib.blake2b(digest_size=8)
    names = [f.name for f in files("feverfew.weights").iterdir() if f.name.endswith(".json")]
    for name in sorted(set(names) - {DIGESTS}):
        digest.update(shipped_weights(name))
    return digest.hexdigest()


if __name__ == "__main__":
    for given in sys.argv[1:]:
        write_digests(Path(given))
