"""What clients and server say to each other: bodies, answers, and errors as the library's own."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

import msgspec

from feverfew.errors import InputError, NotAllowed, NotFound, ServerError, TooBusy
from feverfew.types import Claim, Page, Prediction, Ref, Report

if TYPE_CHECKING:
    import httpx

__all__ = [
    "AT_ONCE",
    "IN_A_STREAM",
    "Reports",
    "content_of",
    "decoded",
    "element_of",
    "headers_of",
    "page_at",
    "predicted",
    "raise_for",
    "reaching",
    "to_score",
    "to_verify",
]

T = TypeVar("T")

AT_ONCE = 64
IN_A_STREAM = 1_000
"""Claims that a server takes in one request: to check, and to label."""
_NOUNS = "application/vnd.feverfew.nouns+json"


class Reports(msgspec.Struct):
    """The answer to a check."""

    reports: list[Report]


def headers_of(key: str | None) -> dict[str, str]:
    """Ask for the nouns as the library spells them, and show the key, if any."""
    return {"Accept": _NOUNS, **({"Authorization": f"Bearer {key}"} if key else {})}


def content_of(body: object) -> dict[str, Any]:
    """Write a body as what httpx takes; none for None."""
    if body is None:
        return {}
    kind = {"Content-Type": "application/json"}
    return {"content": msgspec.json.encode(body), "headers": kind}


def page_at(title: str) -> str:
    """Return the address of a page."""
    return f"/v1/pages/{quote(title, safe='')}"


def to_verify(claims: Sequence[Claim], format: str) -> dict[str, Any]:  # noqa: A002
    """Ask for labels."""
    return {
        "claims": [{"id": claim.id, "claim": claim.text} for claim in claims],
        "format": format,
    }


def predicted(line: str) -> Prediction:
    """Read a line of labels; what went wrong in the midst of them is the last."""
    if line.startswith('{"error"'):
        raise ServerError(msgspec.json.decode(line)["error"])
    return msgspec.json.decode(line, type=Prediction)


def to_score(
    task: str,
    claims: Iterable[Claim],
    predictions: Iterable[Prediction],
    samples: int,
    seed: int,
) -> dict[str, Any]:
    """Ask for scores."""
    from feverfew.readers import dump_prediction
    from feverfew.readers.claims import dump

    return {
        "task": task,
        "claims": list(dump(claims, task)),
        "predictions": [dump_prediction(one, task) for one in predictions],
        "samples": samples,
        "seed": seed,
    }


def element_of(page: Page, ref: Ref) -> str:
    """Return the text of one element of a page."""
    wanted = Ref(page.title, ref.kind, ref.position)
    for at, text in page.elements():
        if at == wanted:
            return text
    raise NotFound(f"page {page.title!r} has no element '{wanted}'")


@contextmanager
def reaching(url: object) -> Iterator[None]:
    """Say in our own words that a server cannot be reached."""
    import httpx

    try:
        yield
    except httpx.HTTPError as error:
        raise ServerError(f"{url}: {error or type(error).__name__}") from None


def raise_for(response: "httpx.Response") -> None:
    """Raise what the library itself would have raised."""
    if not response.is_error:
        return
    try:
        why = msgspec.json.decode(response.content, type=dict[str, str])["error"]
    except (msgspec.DecodeError, KeyError):
        why = f"{response.url}: answered with status {response.status_code}"
    match response.status_code:
        case 401 | 403 as status:
            raise NotAllowed(why, status == 403)
        case 404:
            raise NotFound(why)
        case 429 | 503:
            after = response.headers.get("retry-after", "")
            raise TooBusy(why, int(after) if after.isdecimal() else 1)
        case status if status < 500:
            raise InputError(why)
    raise ServerError(why)


def decoded(response: "httpx.Response", kind: type[T]) -> T:
    """Read an answer as what it should be."""
    try:
        return msgspec.json.decode(response.content, type=kind)
    except msgspec.DecodeError as error:
        raise ServerError(f"{response.url}: not an answer of feverfew's: {error}") from None
