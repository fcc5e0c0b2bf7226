"""Pools give the same answers, in order, wherever the work is done; Ray's are in tests/cluster."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from feverfew.errors import InputError
from feverfew.pools import open_pool

HERE = Path(__file__)


@pytest.fixture(autouse=True)
def _workers_find_this_file(monkeypatch: pytest.MonkeyPatch) -> None:
    places = (str(HERE.parent), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, places)))


def doubler(sign: str) -> Callable[[bytes], bytes]:
    def work(payload: bytes) -> bytes:
        if payload == b"bad":
            raise InputError("a bad payload")
        return payload * 2 + sign.encode()

    return work


def letters(_: None) -> Callable[[bytes], Iterator[bytes]]:
    return lambda payload: (bytes([letter]) for letter in payload)


@pytest.mark.parametrize("where", [0, 1, 2])
def test_answers_come_in_order(where: int) -> None:
    payloads = [str(number).encode() for number in range(20)]
    with open_pool(doubler, "!", where) as pool:
        assert list(pool.map(payloads)) == [payload * 2 + b"!" for payload in payloads]


@pytest.mark.parametrize("where", [0, 1])
def test_one_payload_may_have_many_answers(where: int) -> None:
    with open_pool(letters, None, where) as pool:
        assert list(pool.stream(b"abc")) == [b"a", b"b", b"c"]


@pytest.mark.parametrize("where", [0, 1])
def test_an_error_of_ours_comes_home(where: int) -> None:
    with open_pool(doubler, "", where) as pool, pytest.raises(InputError, match="a bad payload"):
        list(pool.map([b"good", b"bad"]))
