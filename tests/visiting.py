"""People without scripts: they read pages, fill in forms and press buttons over HTTP."""

import re
from collections.abc import Mapping

import httpx
from selectolax.lexbor import LexborHTMLParser, LexborNode

PASSWORD = "a long enough password"


class Visitor:
    """A person in front of a browser that knows only forms."""

    def __init__(self, url: str) -> None:
        self.client = httpx.Client(base_url=url, headers={"Accept": "text/html"}, timeout=120)
        self.response = httpx.Response(200)
        self.tree = LexborHTMLParser("")

    def close(self) -> None:
        self.client.close()

    def _see(self, response: httpx.Response) -> "Visitor":
        while response.is_redirect:
            response = self.client.get(response.headers["location"])
        self.response = response
        self.tree = LexborHTMLParser(response.text)
        return self

    def open(self, path: str) -> "Visitor":
        return self._see(self.client.get(path))

    @property
    def path(self) -> str:
        return self.response.url.path

    @property
    def text(self) -> str:
        return self.tree.body.text(separator=" ") if self.tree.body else ""

    def send(self, fields: Mapping[str, object], selector: str = "#task") -> "Visitor":
        """Send a form with the fields that it has, and some filled in."""
        form = self.tree.css_first(selector)
        assert form is not None, f"no form {selector} in {self.path}: {self.text[:300]}"
        data = _fields(form)
        for name, value in fields.items():
            data[name] = [str(v) for v in value] if isinstance(value, list) else [str(value)]
        action = form.attributes.get("action") or self.path
        return self._see(self.client.post(action, data=data))

    def press(self, value: str, **fields: object) -> "Visitor":
        """Press a button of the task; names with blanks are given as `f_claims`."""
        named = {name.replace("f_", "f-", 1): given for name, given in fields.items()}
        return self.send({**named, "do": value})

    def join(self, path: str, name: str) -> "Visitor":
        self.open(path)
        return self.send({"name": name, "password": PASSWORD}, "main form")

    def next(self, campaign: str, workflow: str) -> bool:
        """Take the next task; say whether there was one."""
        self.open("/work")
        self.send({}, f'form[action="/work/{campaign}/next/{workflow}"]')
        return "/t/" in self.path


def _fields(form: LexborNode) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for node in form.css("input, textarea, select"):
        name = node.attributes.get("name")
        kind = node.attributes.get("type")
        if not name or (kind in ("radio", "checkbox") and "checked" not in node.attributes):
            continue
        if node.tag == "select":
            chosen = node.css_first("option[selected]") or node.css_first("option")
            value = "" if chosen is None else chosen.attributes.get("value") or chosen.text()
        elif node.tag == "textarea":
            value = node.text()
        else:
            value = node.attributes.get("value") or ""
        found.setdefault(name, []).append(value)
    return found


def invitation(organiser: Visitor, *roles: str, campaign: str = "") -> str:
    """Let an organiser invite someone, and return the link's path."""
    organiser.open("/manage")
    organiser.send({"role": list(roles), "campaign": campaign}, 'form[action="/manage/invite"]')
    found = re.search(r"/join/[\w-]+", organiser.text)
    assert found, organiser.text
    return found[0]
