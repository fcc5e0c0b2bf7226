"""Weights are compared with their digests when they are opened, and all of them are named."""

import shutil
from pathlib import Path

import pytest

from feverfew.errors import InputError
from feverfew.models.encoder import Encoder, shipped_folder
from feverfew.models.weights_io import (
    DIGESTS,
    encoder_fingerprint,
    read_weights,
    renew_digests,
    shipped_fingerprint,
    verified,
    write_digests,
)
from tools.torture import Tally
from tools.torture.flips import flip, flip_model_and_keys

SHIPPED = shipped_folder().parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the small encoder."""
    for path in shipped_folder().iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    return tmp_path


@pytest.mark.parametrize("where", [SHIPPED, SHIPPED / "encoder", SHIPPED / "encoder" / "large"])
def test_what_is_shipped_is_what_is_listed(where: Path) -> None:
    """If you changed weights on purpose: python -m feverfew.models.weights_io FOLDER"""
    weights = {p.name for p in where.iterdir() if p.suffix in (".json", ".bin")} - {DIGESTS}
    for name in weights:
        verified(where / name)
    import msgspec

    assert msgspec.json.decode((where / DIGESTS).read_bytes()).keys() == weights


@pytest.mark.parametrize("name", ["model.bin", "heads.json", "tokenizer.json", "config.json",
                                  "vocabulary.json", DIGESTS])  # fmt: skip
def test_one_flipped_bit_is_found(folder: Path, name: str) -> None:
    flip(folder / name, (folder / name).stat().st_size // 2, 0)
    with pytest.raises(InputError, match="is damaged"):
        Encoder.open(folder, 1)


def test_flips_in_a_model_and_in_keys(tmp_path: Path) -> None:
    tally = Tally("flips", 1)
    flip_model_and_keys(tally, 6, tmp_path)
    assert tally.failures == []
    assert tally.tries == 6 * 7


def test_every_file_is_in_the_fingerprint(folder: Path) -> None:
    (folder / DIGESTS).unlink()
    found = {encoder_fingerprint(folder)}
    for name in ("model.bin", "heads.json", "tokenizer.json", "config.json", "vocabulary.json"):
        with (folder / name).open("ab") as file:
            file.write(b" ")
        found.add(encoder_fingerprint(folder))
    (folder / "label_policies.json").write_bytes(b"{}")
    found.add(encoder_fingerprint(folder))
    assert len(found) == 7


def test_small_weights_are_compared_too(tmp_path: Path) -> None:
    path = tmp_path / "label_policies.json"
    path.write_bytes(b'{"fever": [1, 1, 1]}')
    kind = dict[str, tuple[float, float, float]]
    write_digests(tmp_path)
    assert read_weights(tmp_path, path.name, kind) == {"fever": (1, 1, 1)}
    path.write_bytes(b'{"fever": [1, 1, 2]}')
    with pytest.raises(InputError, match="is damaged"):
        read_weights(tmp_path, path.name, kind)
    renew_digests(tmp_path)
    assert read_weights(tmp_path, path.name, kind) == {"fever": (1, 1, 2)}


def test_a_list_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"{}")
    for content in (b"", b"[]", b"\xff", b'{"a.json": 3}'):
        (tmp_path / DIGESTS).write_bytes(content)
        with pytest.raises(InputError, match=r"digests\.json is damaged"):
            verified(tmp_path / "a.json")


def test_the_small_weights_have_one_name() -> None:
    assert len(shipped_fingerprint()) == 16
