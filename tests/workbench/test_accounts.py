"""Accounts and safety: invitations once, slow log-ins, forms of our own only, pseudonyms."""

import httpx
import pytest

from running import Running
from visiting import PASSWORD, Visitor, invitation


def test_an_invitation_works_once(served: Running, organiser: Visitor) -> None:
    path = invitation(organiser, "annotator")
    first, second = Visitor(served.url), Visitor(served.url)
    first.open(path)
    first.send({"name": "Eve", "password": "short"}, "main form")
    assert "at least 10 characters" in first.text
    first.send({"name": "Olga", "password": PASSWORD}, "main form")
    assert "taken" in first.text
    first.send({"name": "Eve", "password": PASSWORD}, "main form")
    assert first.path == "/work"
    second.open(path)
    assert second.response.status_code == 403
    assert "used already" in second.text
    first.close()
    second.close()


def test_a_log_in_survives_and_ends(served: Running, organiser: Visitor) -> None:
    person = Visitor(served.url).join(invitation(organiser, "annotator"), "Finn")
    person.send({}, 'form[action="/logout"]')
    assert person.path == "/login"
    person.open("/work")
    assert person.path == "/login"
    person.send({"name": "Finn", "password": "wrong"}, "main form")
    assert person.response.status_code == 403
    person.send({"name": "Finn", "password": PASSWORD}, "main form")
    assert person.path == "/work"
    person.close()


def test_guessing_passwords_is_stopped(served: Running) -> None:
    guesser = Visitor(served.url)
    seen = []
    for n in range(10):
        guesser.open("/login")
        guesser.send({"name": "Olga", "password": f"guess {n} guess"}, "main form")
        seen.append(guesser.response.status_code)
    assert seen[0] == 403
    assert seen[-1] == 429
    guesser.close()


def test_annotators_manage_nothing(served: Running, organiser: Visitor) -> None:
    person = Visitor(served.url).join(invitation(organiser, "annotator"), "Gus")
    for path in ("/manage", "/manage/fever-demo", "/manage/fever-demo/adjudicate"):
        assert person.open(path).response.status_code == 403
    assert person.open("/manage/nothing").response.status_code == 404
    person.close()


def test_people_see_what_is_kept_about_them(organiser: Visitor) -> None:
    organiser.open("/me")
    organiser.send({"language": "Danish", "key-next": "d"}, 'form[action="/me"]')
    assert "Saved." in organiser.text
    kept = organiser.client.get("/me.json").json()
    assert kept["person"]["profile"]["language"] == "Danish"
    assert kept["person"]["keys"] == {"d": "next"}
    assert "hash" not in organiser.client.get("/me.json").text


HOSTILE = [
    "\x00",
    "\ud800".encode(errors="surrogatepass").decode("latin-1"),
    "a" * 5000,
    "';--",
    "🦊",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_strange_input_breaks_nothing(organiser: Visitor, text: str) -> None:
    organiser.next("fever-demo", "write")
    at = organiser.path
    for what in ("check", "search", f"take:{text}", f"open:{text}", f"set:{text}", text):
        organiser.open(at)
        organiser.send({"do": what, "f-claims": text, "f-q": text, "active": text})
        assert organiser.response.status_code < 500, (what, organiser.text)


def test_broken_requests_are_refused(served: Running) -> None:
    with httpx.Client(base_url=served.url) as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        assert client.post("/login", data={"name": "a"}).status_code == 403
        assert client.post("/login", json={}).status_code == 415
        assert client.post("/v1/rules", json={"text": "x"}).status_code == 403
        assert client.get("/work/fever-demo/t/x").status_code in (303, 422)
        assert client.get("/static/../web.py").status_code == 404
