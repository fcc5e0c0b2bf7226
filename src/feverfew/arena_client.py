"""Submit to a shared task that an arena hosts, from Python.

receipt = submit_file("predictions.jsonl", "http://localhost:8771/arena/demo", key)
receipt.means  → {"fever_score": 0.61, …}, or None while scores are hidden
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from feverfew.errors import InputError, MissingExtra, NotAllowed, NotFound, ServerError, TooBusy

__all__ = ["Receipt", "submit_file"]

_PATIENCE = 300.0
"""Seconds to wait for the scores: many teams may submit just before the end."""


class Receipt(Struct, frozen=True):
    """What became of a file; without scores while they are hidden."""

    submission: int
    number: int
    phase: str
    digest: str
    again: bool
    """Whether the team had submitted this very file before: it counts once."""
    left: int
    """Submissions that the team has left in this phase."""
    means: dict[str, float] | None


class _Refusal(Struct, frozen=True):
    error: str = "refused"
    problems: list[str] = []


def submit_file(
    path: Path | str,
    url: str,
    key: str,
    *,
    phase: str | None = None,
    system: str = "",
    note: str = "",
) -> Receipt:
    """Submit a file of predictions, plain or compressed, to the task at `url`.

    Raises InputError with every problem of the file, and NotAllowed out of time or quota. A lost
    answer is no harm: the same file sent again counts once.
    """
    try:
        import httpx
    except ModuleNotFoundError:
        raise MissingExtra("submitting", "client") from None
    server, found, task = url.rstrip("/").rpartition("/arena/")
    if not found or not task:
        raise InputError(f"{url} is no task; its address is http://host/arena/NAME")
    asked = {"phase": phase, "system": system, "note": note}
    try:
        response = httpx.post(
            f"{server}/v1/arena/{task}/submissions",
            params={name: value for name, value in asked.items() if value},
            content=Path(path).read_bytes(),
            headers={"Authorization": f"Bearer {key}"},
            timeout=_PATIENCE,
        )
        if response.is_success:
            return msgspec.json.decode(response.content, type=Receipt)
        refusal = msgspec.json.decode(response.content, type=_Refusal)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (httpx.HTTPError, httpx.InvalidURL, msgspec.MsgspecError) as error:
        raise ServerError(f"{url}: {error}") from None
    match response.status_code:
        case 401 | 403:
            raise NotAllowed(refusal.error, response.status_code == 403)
        case 404:
            raise NotFound(refusal.error)
        case 429:
            raise TooBusy(refusal.error, int(response.headers.get("retry-after", "60")))
    raise InputError("\n".join(refusal.problems) or refusal.error)
