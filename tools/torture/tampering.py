"""Forge audit reports in every way that comes to mind; each must be noticed.

A forger may edit the file; or edit it and renew its digest. Where the file was signed, both are
noticed. Where it was not, whoever renews the digest is found out by what is computed again.
"""

import json
import random
import subprocess
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec

from feverfew.check import Checker
from feverfew.corpus.build import build
from feverfew.errors import InputError, Tampered
from feverfew.render.audit import (
    Audit,
    Settings,
    audit_file,
    audit_of,
    read_audit,
    require_signature,
)
from feverfew.render.replay import compare
from feverfew.render.signing import SigningKey, VerifyKey
from tools.torture import Result, Tally

_PAGES = """# Ada Quill

Ada Quill was a painter. Quill was born in Tartu in 1901. She painted harbours.
"""
_MORE = """# Tartu

Tartu is a city in Estonia. It lies on the river Emajogi. Ada Quill was born in Tartu.
"""
_CLAIMS = ["Ada Quill was born in Tartu.", "Ada Quill was born in 1975.", "Tartu is a city."]

Json = dict[str, Any]
Forge = Callable[[Json], None]


def _set(path: str, value: object) -> Forge:
    """Put a value at a place such as `reports.0.verdict`."""

    def forge(audit: Json) -> None:
        *inner, last = path.split(".")
        at: Any = audit
        for name in inner:
            at = at[int(name) if isinstance(at, list) else name]
        key = int(last) if isinstance(at, list) else last
        at[key] = value(at[key]) if callable(value) else value

    return forge


def _do(change: Callable[[Json], object]) -> Forge:
    def forge(audit: Json) -> None:
        change(audit)

    return forge


def _other_verdict(was: str) -> str:
    return "REFUTED" if was == "SUPPORTED" else "SUPPORTED"


def _shift(by: float) -> Callable[[float], float]:
    return lambda was: was + by if was < 0.5 else was - by


_R, _E = "reports.0", "reports.0.evidence.0"
_ODDS = "probabilities.NOT ENOUGH INFO"
_HOP = {
    "page": "Tartu",
    "by": ["Tartu", "sentence", [0]],
    "how": "link",
}

RECOMPUTED: dict[str, Forge] = {
    "the verdict is another": _set(f"{_R}.verdict", _other_verdict),
    "a probability is another": _set(f"{_R}.{_ODDS}", _shift(0.1)),
    "a probability is slightly another": _set(f"{_R}.{_ODDS}", _shift(1e-6)),
    "a probability is gone": _do(lambda a: a["reports"][0]["probabilities"].popitem()),
    "a reason is reworded": _set(f"{_R}.reasons.0", "Everyone knows that."),
    "a reason is gone": _do(lambda a: a["reports"][0]["reasons"].pop()),
    "a reason is added": _do(lambda a: a["reports"][0]["reasons"].append("It is so.")),
    "evidence reads otherwise": _set(f"{_E}.text", "Quill was born in Riga."),
    "one letter of the evidence is another": _set(f"{_E}.text", lambda was: was[:-2] + "x."),
    "evidence is gone": _do(lambda a: a["reports"][0]["evidence"].pop()),
    "evidence is there twice": _do(
        lambda a: a["reports"][0]["evidence"].append(deepcopy(a["reports"][0]["evidence"][0]))
    ),
    "evidence is of another page": _set(f"{_E}.ref.0", "Riga"),
    "evidence is another sentence": _set(f"{_E}.ref.2", [7]),
    "evidence says the opposite": _set(f"{_E}.says", _other_verdict),
    "evidence is surer": _set(f"{_E}.{_ODDS}", _shift(0.05)),
    "evidence is decisive or not": _set(f"{_E}.decisive", lambda was: not was),
    "evidence was reached otherwise": _set(f"{_E}.hop", lambda was: was + 1),
    "evidence has another heading": _set(f"{_E}.context.section", "Forged"),
    "evidence has another score": _set(f"{_E}.score", _shift(0.001)),
    "evidence has marks": _set(f"{_E}.marks", [[0, 3]]),
    "the sets are gone": _set(f"{_R}.sets", []),
    "a set is larger": _do(lambda a: a["reports"][0]["sets"][0].append(["Riga", "sentence", [0]])),
    "something speaks against it": _do(
        lambda a: a["reports"][0]["against"].append(deepcopy(a["reports"][0]["evidence"][0]))
    ),
    "what was considered reads otherwise": _set(f"{_R}.considered.0.text", "Forged."),
    "something considered is gone": _do(lambda a: a["reports"][0]["considered"].pop()),
    "something considered scored otherwise": _set(f"{_R}.considered.0.score", _shift(0.01)),
    "it is left open": _set(f"{_R}.open_reason", "too unsure"),
    "something is missing": _set(f"{_R}.missing", "in Tartu"),
    "a part is added": _do(lambda a: a["reports"][0]["parts"].append(deepcopy(a["reports"][1]))),
    "a hop is added": _set(f"{_R}.chain", [_HOP]),
    "a table is added": _set(f"{_R}.tables", [{"page": "Tartu", "index": 0}]),
    "the label policy is another": _set(f"{_R}.label_policy", "feverous"),
    "it leans elsewhere": _set(f"{_R}.leaning", "REFUTED"),
    "the claim is marked": _set(f"{_R}.marks", [[0, 3]]),
    "two claims have each other's reports": _do(
        lambda a: _swap(a["reports"][0], a["reports"][1], "claim")
    ),
    "a page has another fingerprint": _set("pages.Tartu", "0" * 16),
    "a page is gone": _do(lambda a: a["pages"].popitem()),
    "a page is added": _set("pages.Riga", "0" * 16),
    "one report names another corpus": _set(f"{_R}.corpus", "0" * 16),
    "one report names another model": _set(f"{_R}.model", "0" * 16),
    "one report names another generation": _set(f"{_R}.generation", "g-00000000.0"),
    "the time is to come": _set("time", "2999-01-01T00:00:00+00:00"),
    "the time is no time": _set("time", "yesterday"),
}
"""Noticed even if whoever forges renews the digest, because it is computed again, or nonsense."""

SIGNED: dict[str, Forge] = {
    "a report is gone": _do(lambda a: a["reports"].pop()),
    "all reports are gone": _set("reports", []),
    "a report is there twice": _do(lambda a: a["reports"].append(deepcopy(a["reports"][0]))),
    "the reports are in another order": _do(lambda a: a["reports"].reverse()),
    "a claim reads otherwise": _set(f"{_R}.claim", "Ada Quill was born in Riga."),
    "the time is earlier": _set("time", "2001-01-01T00:00:00+00:00"),
    "the program is another": _set("feverfew", "9.9.9"),
    "the corpus has another fingerprint": _set("corpus", "0" * 16),
    "the model has another fingerprint": _set("model", "0" * 16),
    "the generation is another": _set("generation", "g-00000000.7"),
    "the confidence asked for is another": _set("settings.min_confidence", 0.9),
    "the policy asked for is another": _set("settings.label_policy", "feverous"),
    "the hops asked for are fewer": _set("settings.max_hops", 1),
    "the tables asked for are fewer": _set("settings.max_tables", 0),
    "the corpus lies elsewhere": _set("settings.corpus", "/tmp/elsewhere.corpus"),
    "the model lies elsewhere": _set("settings.model", "/tmp/elsewhere"),
    "it took another time": _set(f"{_R}.seconds", {"judge": 0.0}),
}
"""Noticed by the digest; if that is renewed, by the signature alone."""


def _swap(one: Json, other: Json, name: str) -> None:
    one[name], other[name] = other[name], one[name]


def _replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(old, new, 1)


OUTSIDE: dict[str, Callable[[bytes], bytes]] = {
    "the page shows another claim": _replaced(b"born in Tartu", b"born in Paris"),
    "the page hides something": _replaced(b"</style>", b"main{display:none}</style>"),
    "the page has a script": _replaced(b"</body>", b"<script>alert(1)</script></body>"),
    "the page has a remark": _replaced(b"<main>", b"<main><p>Approved.</p>"),
    "the page has other content first": _replaced(
        b"<main>",
        b'<main><script type="application/json" id="feverfew-audit">{}</script>\n',
    ),
    "something follows the page": lambda data: data + b"<p>Approved.</p>",
    "something precedes the page": lambda data: b"<p>Approved.</p>" + data,
    "a name stands there twice": _replaced(b'{"audit":{', b'{"digest":"0","audit":{'),
    "there is an unknown name": _replaced(b'{"audit":{', b'{"note":"approved","audit":{'),
    "there is a blank more": _replaced(b'{"audit":{', b'{ "audit":{'),
    "the digest is another": lambda data: _field(data, b'"digest":"', b"0"),
    "the signature is another": lambda data: _field(data, b'"signature":"', b"0"),
    "the signature is gone": lambda data: _emptied(data, b'"signature":"'),
    "the end is cut off": lambda data: data[:-9],
}
"""Changes of the file itself, here an HTML page, rather than of what it says."""


def _field(data: bytes, name: bytes, digit: bytes) -> bytes:
    at = data.index(name) + len(name)
    other = digit if data[at : at + 1] != digit else b"1"
    return data[:at] + other + data[at + 1 :]


def _emptied(data: bytes, name: bytes) -> bytes:
    at = data.index(name) + len(name)
    return data[:at] + data[data.index(b'"', at) :]


class Forgery:
    """An honest audit report, and what it takes to forge and to examine it; made by `make`."""

    def __init__(self, audit: Audit, key: Path, public: Path, folder: Path) -> None:
        self.audit = audit
        self._signing = SigningKey.open(key)
        self._verify = VerifyKey.open(public)
        self._folder = folder

    @classmethod
    def make(cls, folder: Path) -> "Forgery":
        """Build a little corpus, check claims against it, and make a pair of keys."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("quill.md", _PAGES), ("tartu.md", _MORE)):
            (folder / name).write_text(text, "utf-8")
        build([folder / "quill.md", folder / "tartu.md"], folder / "c", workers=0)
        settings = Settings(str(folder / "c"), "small")
        with settings.open() as checker:
            audit = _audited(checker, settings)
        key, public = folder / "audit.key", folder / "audit.pub"
        for words in (
            ["genpkey", "-algorithm", "ed25519", "-out", key],
            ["pkey", "-in", key, "-pubout", "-out", public],
        ):
            subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)
        return cls(audit, key, public, folder)

    def file(self, *, html: bool = False, signed: bool = True) -> bytes:
        """Write the honest report."""
        return audit_file(self.audit, html=html, key=self._signing if signed else None)

    def forged(self, forge: Forge, *, renewed: bool, html: bool = False) -> bytes:
        """Forge the content; the digest is renewed too, or not, and the signature never is."""
        held = json.loads(audit_file(self.audit, html=False, key=self._signing))
        before = deepcopy(held["audit"])
        forge(held["audit"])
        if held["audit"] == before:
            raise ValueError("this changes nothing")
        if not renewed:
            return msgspec.json.format(msgspec.json.encode(held)) + b"\n"
        try:
            audit = msgspec.convert(held["audit"], Audit)
        except msgspec.ValidationError:
            return msgspec.json.encode(held)
        made = audit_file(audit, html=html)
        return made.replace(b'"signature": ""', f'"signature": "{held["signature"]}"'.encode())

    def noticed(self, data: bytes, *, key: bool) -> str:
        """Say how a file is found out: the error, or what does not hold; empty if it is not."""
        path = self._folder / "forged"
        path.write_bytes(data)
        try:
            held = read_audit(path)
            if key:
                require_signature(held, self._verify)
            replay = compare(held.audit, self.audit)
        except (Tampered, InputError) as error:
            return str(error)
        except ValueError:
            return "there are more or fewer reports"
        if replay.holds:
            return ""
        return next((c for one in replay.claims for c in one.changes), "") or replay.changes[0]


def _audited(checker: Checker, settings: Settings) -> Audit:
    reports = checker.check(_CLAIMS)
    return audit_of(reports, checker.corpus, checker.fingerprint, settings)


def run(tries: int, seed: int, folder: Path) -> Result:
    """Forge in every way we know, then flip bits anywhere in files until `tries` are made."""
    tally = Tally("tampering", seed)
    forgery = Forgery.make(folder)
    for html in (False, True):
        if forgery.noticed(forgery.file(html=html), key=True):
            tally.fail("an honest report was not believed")
    for name, forge in {**RECOMPUTED, **SIGNED}.items():
        ways = [(False, False), (True, True), *([(True, False)] if name in RECOMPUTED else [])]
        for renewed, key in ways:
            with tally.one_try():
                if not forgery.noticed(forgery.forged(forge, renewed=renewed), key=key):
                    tally.fail(f"not noticed: {name} (digest renewed: {renewed}, key: {key})")
    page = forgery.file(html=True)
    for name, change in OUTSIDE.items():
        with tally.one_try():
            if not forgery.noticed(change(page), key=True):
                tally.fail(f"not noticed: {name}")
    while tally.tries < tries:
        with tally.one_try():
            _flip(tally, forgery, tally.random)
    return tally.result()


def _flip(tally: Tally, forgery: Forgery, chance: random.Random) -> None:
    html = chance.random() < 0.5
    data = bytearray(forgery.file(html=html))
    at, bit = chance.randrange(len(data)), chance.randrange(8)
    data[at] ^= 1 << bit
    if not forgery.noticed(bytes(data), key=True):
        tally.fail(f"not noticed: bit {bit} of byte {at} (page: {html})")
