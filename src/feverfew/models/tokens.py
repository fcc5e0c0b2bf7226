"""Tokenise claims and evidence for the encoder, in the same way in training and in use."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from tokenizers import Tokenizer

from feverfew.errors import InputError

__all__ = ["LONGEST", "TOKENISER", "Tokens", "open_tokeniser", "tokenise"]

TOKENISER = "tokenizer.json"
LONGEST = 256
"""Tokens of claim and evidence together; longer pairs are cut, the longer text first."""
_LETTERS = LONGEST * 16
"""Text beyond this would hardly ever survive the cut, so it is not tokenised."""


class Tokens(Struct, frozen=True, gc=False):
    """One tokenised pair: the token ids, and which of the two texts each belongs to."""

    ids: list[int]
    segments: list[int]


class _Written(Struct):
    """The least that a tokeniser file contains."""

    model: dict[str, Any]
    added_tokens: list[Any]


def open_tokeniser(folder: Path, longest: int = LONGEST) -> Tokenizer:
    """Open the tokeniser of a model folder."""
    path = folder / TOKENISER
    if not path.is_file():
        raise InputError(f"{folder} is not a model: it has no {TOKENISER}")
    written = path.read_bytes()
    try:
        # The library itself raises a bare Exception.
        msgspec.json.decode(written, type=_Written)
    except msgspec.MsgspecError as error:
        raise InputError(f"{path} is not a tokeniser: {error}") from None
    tokeniser = Tokenizer.from_buffer(written)
    tokeniser.no_padding()
    tokeniser.enable_truncation(longest, strategy="longest_first")
    return tokeniser


def tokenise(tokeniser: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[Tokens]:
    """Tokenise pairs of claim and evidence."""
    texts = [(_readable(claim), _readable(evidence)) for claim, evidence in pairs]
    return [Tokens(e.ids, e.type_ids) for e in tokeniser.encode_batch_fast(texts)]


def _readable(text: str) -> str:
    """Cut overlong text and replace lone surrogates, which the tokeniser refuses."""
    return text[:_LETTERS].encode(errors="replace").decode()
