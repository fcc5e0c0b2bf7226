"""A campaign's settings: one readable TOML file, whose defaults are the papers' own figures."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.errors import InputError
from feverfew.rules.qualification import CALIBRATION, LEAST_TESTS, QUIZ_PASS, TEST_PASS
from feverfew.rules.sampling import QUALITY_SHARE, TWO_WAY

WORKFLOWS: dict[str, tuple[str, ...]] = {
    "fever": ("write", "mutate", "label"),
    "feverous": ("highlight", "verify"),
    "hover": ("create", "validate", "extend", "mutate", "label"),
    "pool": ("pool",),
}
"""The workflows of each kind, in the order in which a claim passes through them."""
ROLES = ("writer", "annotator", "super", "validator", "manager", "organiser", "volunteer")
"""What a person may be; an organiser may do everything."""
_WRITERS = ("write", "mutate", "highlight", "create", "extend")


def role_for(workflow: str) -> str:
    """Return the role that a workflow needs."""
    if workflow in _WRITERS:
        return "writer"
    return {"validate": "validator", "pool": "volunteer"}.get(workflow, "annotator")


class Assignment(Struct, frozen=True, forbid_unknown_fields=True):
    """Who gets what, and for how long."""

    annotators: int = 1
    """How many people label each claim; HoVer has five."""
    validators: int = 3
    """How many people judge whether a claim meets the criteria (HoVer)."""
    lease_hours: float = 4.0
    editing_hours: float = 0.0
    """How long authors may edit a claim before others see it; FEVEROUS has a day."""
    edit_submitted_hours: float = 24.0
    """How long people may correct what they submitted."""
    idle_seconds: int = 1200
    """Longer pauses add nothing to a person's time."""


class Checks(Struct, frozen=True, forbid_unknown_fields=True):
    """Quality control."""

    five_way: float = 0.04
    super_annotated: float = 0.01
    quality: float = 0.0
    """Share of annotations that further people check; FEVEROUS has 0.1."""
    two_way: float = TWO_WAY
    """Of those, the share that one further person checks; the others have two."""
    qualification: bool = False
    """Whether people must pass the quiz and the calibration, where there is gold for them."""
    quiz_pass: float = QUIZ_PASS
    calibration: tuple[int, int] = CALIBRATION
    tests: float = 0.1
    """How often a hidden test question is given, while there are any."""
    test_pass: float = TEST_PASS
    least_tests: int = LEAST_TESTS


class Help(Struct, frozen=True, forbid_unknown_fields=True):
    """What the checker asks a person, once they have given a verdict of their own."""

    share: float = 0.0
    """Share of annotations that are followed by "did you miss this?"; chance decides which."""
    most: int = 2
    """Pieces of evidence that are asked about at most."""


class Pay(Struct, frozen=True, forbid_unknown_fields=True):
    """What a task pays, in cents."""

    task: dict[str, float] = {}
    """By workflow: HoVer paid 12 for a task, and up to 40 for an extension."""
    hop: float = 0.0
    """For every hop beyond two."""
    bonus: float = 0.0
    """For an extension that names the new page."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a campaign."""

    kind: str
    title: str = ""
    seed: int = 0
    sandbox: bool = False
    """Sandbox work is kept but never exported."""
    sources: int = 100
    """How many sentences, highlights or questions to draw."""
    label_policy: str = ""
    """When to refute: fever (explicit evidence) or feverous (a reader would be misled)."""
    aggregation: str = ""
    """first, majority, or three-of-five."""
    assignment: Assignment = Assignment()
    checks: Checks = Checks()
    help: Help = Help()
    pay: Pay = Pay()

    @property
    def workflows(self) -> tuple[str, ...]:
        return WORKFLOWS[self.kind]


_OF_KIND: dict[str, dict[str, Any]] = {
    "fever": {"label_policy": "fever", "aggregation": "majority"},
    "feverous": {
        "label_policy": "feverous",
        "aggregation": "first",
        "assignment": {"editing_hours": 24.0},
        "checks": {"five_way": 0.0, "super_annotated": 0.0, "quality": QUALITY_SHARE},
    },
    "hover": {
        "label_policy": "fever",
        "aggregation": "three-of-five",
        "assignment": {"annotators": 5},
        "checks": {"five_way": 0.0, "super_annotated": 0.0},
    },
    # Evidence that systems returned in a shared task, judged by its volunteers.
    "pool": {
        "label_policy": "fever",
        "aggregation": "majority",
        "assignment": {"annotators": 2},
        "checks": {"five_way": 0.0, "super_annotated": 0.0, "tests": 0.0},
    },
}
"""Where the papers differ from each other."""


def settings_from(given: dict[str, Any], where: str = "settings") -> Settings:
    """Make settings from plain values, with the defaults of their kind."""
    kind = given.get("kind")
    if kind not in _OF_KIND:
        raise InputError(f"{where}: kind is {kind!r}; it must be one of {', '.join(_OF_KIND)}")
    merged = dict(given)
    for name, value in _OF_KIND[kind].items():
        own = given.get(name)
        merged[name] = {**value, **(own or {})} if isinstance(value, dict) else (own or value)
    try:
        made = msgspec.convert(merged, Settings)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}: {error}") from None
    for name in ("five_way", "super_annotated", "quality", "two_way", "tests"):
        if not 0 <= getattr(made.checks, name) <= 1:
            raise InputError(f"{where}: checks.{name} must lie between 0 and 1")
    if not 0 <= made.help.share <= 1 or made.help.most < 1:
        raise InputError(f"{where}: help.share must lie between 0 and 1, help.most above 0")
    if made.assignment.annotators < 1 or made.sources < 0 or made.assignment.lease_hours <= 0:
        raise InputError(f"{where}: annotators, sources and lease_hours must be positive")
    if made.aggregation not in ("first", "majority", "three-of-five"):
        raise InputError(f"{where}: aggregation must be first, majority or three-of-five")
    return made


def read_settings(path: Path) -> Settings:
    """Read settings from a TOML file; a pool has none, since the arena makes it."""
    try:
        given = tomllib.loads(path.read_text("utf-8"))
        if given.get("kind") == "pool":
            raise InputError(f"{path}: a pool is made by 'feverfew arena pool'")
        return settings_from(given, str(path))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None


def as_toml(settings: Settings) -> str:
    """Write settings as TOML, every one of them, so that what may be set can be seen."""
    plain = msgspec.to_builtins(settings)
    lines = [f"{name} = {_value(v)}" for name, v in plain.items() if not isinstance(v, dict)]
    for name, table in plain.items():
        if isinstance(table, dict):
            lines += ["", f"[{name}]"]
            lines += [f"{k} = {_value(v)}" for k, v in table.items() if not isinstance(v, dict)]
            for inner, values in table.items():
                if isinstance(values, dict):
                    lines += ["", f"[{name}.{inner}]"]
                    lines += [f"{_value(k)} = {_value(v)}" for k, v in values.items()]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    # JSON's strings, numbers, booleans and lists are TOML's too.
    return msgspec.json.encode(value).decode()
