"""Where keys are on: a browser shows its key once, and is known by a signed cookie."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI, Request, Response
from starlette.testclient import TestClient

from feverfew.server.keys import KeyFile, digest_of
from feverfew.server.site.login import Sessions, after
from running import Running, running

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFile:
    return KeyFile(tmp_path_factory.mktemp("keys") / "keys.json")


@pytest.fixture(scope="module")
def guarded(keys: KeyFile, sample_path: Path) -> Iterator[Running]:
    keys.add("first", ["check", "read"], 600)
    with running(sample_path, "--keys", keys.path, "--timeout", "300") as found:
        yield found


def browser(server: Running) -> httpx.Client:
    return httpx.Client(base_url=server.url, timeout=300, headers=HTML, follow_redirects=True)


def log_in(http: httpx.Client, key: str, wanted: str = "/browse") -> httpx.Response:
    page = http.get("/login", params={"next": wanted}).text
    found = re.search(r'name="token" value="(\w+)"', page)
    assert found
    return http.post("/login", data={"key": key, "next": wanted, "token": found[1]})


def test_a_key_opens_the_pages_and_only_the_pages(guarded: Running, keys: KeyFile) -> None:
    key = keys.add("reader", ["read"], 600)
    with browser(guarded) as http:
        asked = http.get("/pages/Fritz Lang")
        assert str(asked.url).endswith("/login?next=%2Fpages%2FFritz%2520Lang")
        assert log_in(http, "ff_wrong").status_code == 403
        page = log_in(http, f" {key} ", "/pages/Fritz%20Lang")
        assert str(page.url).endswith("/pages/Fritz%20Lang")
        assert "Log out" in page.text
        assert http.get("/check?claim=x").status_code == 403  # the key does not allow checks
        assert http.get("/v1/pages/Fritz Lang").status_code == 401  # programs show the key itself
        held = http.cookies["feverfew_key"]
        assert key not in held
        http.cookies.set("feverfew_key", held[:-1] + ("0" if held[-1] != "0" else "1"))
        assert "/login" in str(http.get("/browse").url)


def test_a_removed_key_is_out_at_once_and_logging_out_forgets(
    guarded: Running, keys: KeyFile
) -> None:
    key = keys.add("leaving", ["read"], 600)
    with browser(guarded) as http:
        page = log_in(http, key).text
        found = re.search(r'name="token" value="(\w+)"', page)
        assert found
        assert http.post("/logout", data={"token": "no"}).status_code == 403
        copied = dict(http.cookies)
        http.post("/logout", data={"token": found[1]})
        with browser(guarded) as thief:
            thief.cookies.update(copied)
            assert "/login" in str(thief.get("/browse").url)
        assert "/login" in str(http.get("/browse").url)
        log_in(http, key)
        keys.remove("leaving")
        assert "/login" in str(http.get("/browse").url)


def test_the_rate_of_the_key_holds_for_pages(guarded: Running, keys: KeyFile) -> None:
    key = keys.add("slow", ["read"], 2)
    with browser(guarded) as http:
        log_in(http, key)
        http.get("/browse")
        refused = http.get("/browse")
        assert refused.status_code == 429
        assert "2 requests a minute" in refused.text
        assert int(refused.headers["retry-after"]) >= 1


def test_static_files_and_help_need_no_key(guarded: Running) -> None:
    with browser(guarded) as http:
        assert http.get("/static/style.css").status_code == 200
        assert http.get("/help").url.path == "/help"


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "https://evil.example", "/\\evil.example", "/a\nb", "evil", ""]
)
def test_a_login_never_leads_to_another_site(wanted: str) -> None:
    assert after(wanted) == "/"
    assert after("/check?claim=a//b") == "/check?claim=a//b"


def test_a_session_ends_and_a_restart_ends_all() -> None:
    now = [1_000.0]
    sessions, others = Sessions(lambda: now[0]), Sessions(lambda: now[0])
    app = FastAPI()

    @app.get("/in")
    async def _enter(request: Request) -> Response:
        response = Response()
        sessions.log_in(request, response, digest_of("key"))
        return response

    @app.get("/who")
    async def _who(request: Request) -> list[str]:
        return [sessions.digest(request), others.digest(request)]

    http = TestClient(app)
    assert http.get("/who").json() == ["", ""]
    http.get("/in")
    assert http.get("/who").json() == [digest_of("key"), ""]
    now[0] += 13 * 3600
    assert http.get("/who").json() == ["", ""]
