"""Keys: kept as digests, allowing what they say, as often as they say."""

import json
import stat
from pathlib import Path

import pytest

from feverfew.errors import InputError, NotAllowed, NotFound, ServerError, TooBusy
from feverfew.server.auth import Authenticator, is_loopback
from feverfew.server.batching import client
from feverfew.server.keys import KeyFile
from making import feverfew


def test_a_key_is_found_by_its_token_and_kept_as_a_digest(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "new" / "keys.json")
    token = file.add("laptop", ["check"], 60)
    found = file.find(token)
    assert found is not None
    assert (found.name, found.scopes, found.rate) == ("laptop", ("check",), 60)
    assert file.find(token + "x") is None
    assert token not in file.path.read_text("utf-8")
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_names_are_unique_and_unknown_ones_are_told(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    file.add("a", ["check"], 60)
    with pytest.raises(InputError, match="already"):
        file.add("a", ["check"], 60)
    with pytest.raises(NotFound, match="'b'; there are: 'a'"):
        file.remove("b")


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{", "utf-8")
    with pytest.raises(InputError, match="is not a file of keys"):
        KeyFile(tmp_path / "keys.json").keys()


def test_a_file_that_breaks_while_serving_lets_nobody_in(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    token = file.add("a", ["check"], 60)
    auth = Authenticator(KeyFile(file.path))
    assert auth.admit(token, "check") == "a"
    file.path.write_text("[{]", "utf-8")
    with pytest.raises(ServerError, match="no key can be looked up"):
        auth.admit(token, "check")


def test_a_removed_key_is_refused_at_once(tmp_path: Path) -> None:
    writer, reader = KeyFile(tmp_path / "keys.json"), KeyFile(tmp_path / "keys.json")
    auth = Authenticator(reader)
    token = writer.add("a", ["check"], 60)
    assert auth.admit(token, "check") == "a"
    writer.remove("a")
    with pytest.raises(NotAllowed) as refused:
        auth.admit(token, "check")
    assert not refused.value.known


def test_a_key_allows_its_scopes_only(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    token = file.add("a", ["read"], 60)
    assert Authenticator(file).admit(token, "read") == "a"
    with pytest.raises(NotAllowed) as refused:
        Authenticator(file).admit(token, "check")
    assert refused.value.known
    with pytest.raises(NotAllowed, match="a key is needed"):
        Authenticator(file).admit(None, "read")


def test_a_key_used_too_often_has_to_wait(tmp_path: Path) -> None:
    now = [0.0]
    file = KeyFile(tmp_path / "keys.json")
    auth = Authenticator(file, clock=lambda: now[0])
    token = file.add("a", ["check"], 2)
    auth.admit(token, "check")
    auth.admit(token, "check")
    with pytest.raises(TooBusy, match="2 requests a minute") as refused:
        auth.admit(token, "check")
    assert refused.value.seconds == 30
    now[0] = 30.0
    auth.admit(token, "check")
    with pytest.raises(TooBusy):
        auth.admit(token, "check")


def test_without_keys_everyone_is_admitted() -> None:
    assert Authenticator(None).admit(None, "check") == ""


@pytest.mark.parametrize(
    ("host", "local"),
    [
        *((name, True) for name in ("127.0.0.1", "127.8.9.1", "localhost", "::1")),
        *((name, False) for name in ("0.0.0.0", "10.0.0.1", "::", "example.org")),
    ],
)
def test_what_only_this_machine_reaches(host: str, local: bool) -> None:
    assert is_loopback(host) is local


def test_the_command_adds_lists_and_removes(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    added = feverfew("keys", "add", "a", "--keys", file, "--scope", "read", "--rate", "5")
    token = added.stdout.strip()
    assert KeyFile(file).find(token) is not None
    shown = json.loads(feverfew("keys", "list", "--keys", file, "--json").stdout)
    assert (shown["name"], shown["scopes"], shown["rate"]) == ("a", ["read"], 5)
    assert "digest" not in shown
    assert "read  5 a minute" in feverfew("keys", "list", "--keys", file).stdout
    assert feverfew("keys", "remove", "a", "--keys", file).returncode == 0
    assert feverfew("keys", "remove", "a", "--keys", file).returncode == 4
    other = json.loads(feverfew("keys", "add", "b", "--keys", file, "--json").stdout)
    found = KeyFile(file).find(other["key"])
    assert found is not None
    assert found.scopes == ("check", "read", "score")


def test_who_shows_many_wrong_keys_has_to_wait_and_others_do_not(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    right = file.add("a", ["check"], 600)
    now = [0.0]
    auth = Authenticator(file, lambda: now[0])
    client.set("10.0.0.1")
    for _ in range(20):
        with pytest.raises(NotAllowed):
            auth.admit("ff_wrong", "check")
    with pytest.raises(TooBusy) as slowed:
        auth.admit("ff_wrong", "check")
    assert slowed.value.seconds == 3
    assert auth.admit(right, "check") == "a"  # a right key is no guess
    client.set("10.0.0.2")
    with pytest.raises(NotAllowed):
        auth.admit("ff_wrong", "check")
    client.set("10.0.0.1")
    now[0] = 3.0
    with pytest.raises(NotAllowed):
        auth.admit("ff_wrong", "check")
