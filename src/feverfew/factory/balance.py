"""Draw claims so that their words do not tell their label: each form as often with every label.

What a model could learn from claims alone is how often a form goes with a label. Here it goes with
each equally often. Where a small corpus does not give enough, forms are taken together: those of a
relation that are said alike, then all that are said alike.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice

from feverfew.factory.claims import LABELS, Drafted, Form, N, Values, Writer, forms_of, reads_well
from feverfew.factory.facts import Fact, Subject
from feverfew.rules.sampling import rng_of, unit
from feverfew.types import Verdict

Option = tuple[Form, Subject, Fact]
Options = dict[Verdict, list[Option]]
Silent = Callable[[Subject, str], bool]
_WEIGHTS = {"wider": 0.14, "denies": 0.16, "specific": 0.16, "joined": 0.14, "says": 0.4}
"""How claims are said: more generally, denied, more specifically (twice), and plainly."""
_LEVELS: tuple[Callable[[Form, str], Hashable], ...] = (
    lambda form, noun: (form, noun),
    lambda form, noun: form,
    lambda form, noun: (form.relation, form.manner),
    lambda form, noun: form.manner,
)
"""What is balanced: one form about one kind of thing (names tell what they name), one form, forms
of a relation, all forms of a manner."""


def options_of(subjects: Sequence[Subject], values: Values, seed: int) -> Options:
    """List, by label, whom a claim can be written about, and in which form."""
    found: Options = {label: [] for label in LABELS}
    for subject in subjects:
        for fact in subject.facts:
            for form in forms_of(subject, fact):
                for label in LABELS[:2]:
                    found[label].append((form, subject, fact))
        for relation in subject.silent:
            if verbs := values.verbs(relation):
                verb = rng_of(seed, "verb", relation, subject.title).choice(verbs)
                open_ = Fact(relation, "", subject.index, verb)
                found[N] += [(form, subject, open_) for form in forms_of(subject, open_)]
    return found


def shares(capacities: dict[Hashable, int], wanted: int) -> dict[Hashable, int]:
    """Share a number out as evenly as capacities allow.

    >>> shares({"a": 2, "b": 50}, 20)
    {'a': 2, 'b': 18}
    """
    left, given = wanted, dict.fromkeys(capacities, 0)
    for turn, key in enumerate(sorted(capacities, key=lambda one: (capacities[one], repr(one)))):
        given[key] = min(capacities[key], -(-left // (len(capacities) - turn)))
        left -= given[key]
    return given


def draw_balanced(
    subjects: Sequence[Subject],
    count: int,
    seed: int,
    *,
    per_page: int = 4,
    silent: Silent = lambda subject, relation: True,
) -> Iterator[Drafted]:
    """Draw claims, a third of each label in every form; at most so many of one page."""
    values = Values(subjects)
    drawer = _Drawer(Writer(values), seed, per_page, silent)
    options = options_of(subjects, values, seed)
    left = -(-count // len(LABELS))
    for level in _LEVELS:
        groups: dict[str, dict[Hashable, Options]] = {manner: {} for manner in _WEIGHTS}
        for label, several in options.items():
            for option in several:
                key = level(option[0], option[1].noun)
                own = groups[option[0].manner].setdefault(key, {one: [] for one in LABELS})
                own[label].append(option)
        room, weight = left, sum(_WEIGHTS.values())
        # What a manner cannot give, those after it do: plain sentences come last.
        for manner, share in _WEIGHTS.items():
            for made in drawer.draw(groups[manner], round(room * share / weight)):
                yield from made
                left -= 1
                room -= 1
            weight -= share
        if left <= 0:
            return
    # A corpus whose pages leave nothing open gives no more than these.
    rest = {label: options[label] for label in LABELS[:2]}
    for made in drawer.draw({"": rest}, -(-left * len(LABELS) // 2)):
        yield from made


class _Drawer:
    """Writes claims together, one of each label; remembers what was said of whom."""

    def __init__(self, writer: Writer, seed: int, per_page: int, silent: Silent) -> None:
        self._writer, self._seed, self._per_page, self._silent = writer, seed, per_page, silent
        self._used: Counter[str] = Counter()
        self._said: set[str] = set()
        self._taken: set[tuple[str, str]] = set()

    def draw(self, groups: dict[Hashable, Options], wanted: int) -> Iterator[list[Drafted]]:
        """Yield a claim of every label as many times as wanted, evenly over the groups."""
        capacities = {key: min(map(len, own.values())) for key, own in groups.items()}
        left = wanted
        given = shares({key: n for key, n in capacities.items() if n}, wanted)
        for turn, key in enumerate(sorted(given, key=lambda one: (capacities[one], repr(one)))):
            most = max(given[key], -(-left // (len(given) - turn)))
            streams = [self._claims(own, label) for label, own in groups[key].items()]
            for _ in range(min(most, left)):
                made = [claim for stream in streams for claim in islice(stream, 1)]
                if len(made) < len(streams):
                    break
                left -= 1
                yield made

    def _claims(self, options: Sequence[Option], label: Verdict) -> Iterator[Drafted]:
        order = sorted(options, key=lambda one: unit(self._seed, one[0], label, one[1].title))
        for form, subject, fact in order:
            if self._used[subject.title] >= self._per_page:
                continue
            if (subject.title, form.relation) in self._taken:
                continue
            if label is N and not self._silent(subject, form.relation):
                continue
            rng = rng_of(self._seed, "write", form, label, subject.title)
            made = self._writer.write(subject, fact, form, label, rng)
            if made is None or not reads_well(made.text) or made.text in self._said:
                continue
            self._said.add(made.text)
            self._taken.add((subject.title, form.relation))
            self._used[subject.title] += 1
            yield made
