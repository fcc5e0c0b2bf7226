"""Make files of training pairs from FEVER's claims, general inference sets, and what was mined.

Each file holds one kind of pair, so that the trainer can weigh the kinds:

- `supported`, `refuted`: claims with their gold sentences alone;
- `supported_among`, `refuted_among`: the same with sentences that our retrieval found beside
  them, in any order, as a checker meets them;
- `open`: open claims with what our retrieval found for them;
- `other`: supported and refuted claims with sentences of other pages, which leave them open, so
  that a claim's own words do not give its label away;
- `relevant`, `irrelevant`: single sentences, gold or beside it, for the relevance head alone;
- `dated`: of the latter, those that tell of other years than a supported claim does: silent on it,
  and no refutation;
- `feverous`: longer claims over several sentences (a third, by page, is never learned from);
- `inference`, `reasoning`, `health`, `answers`: pairs from elsewhere, for the verdict and the
  relevance head;
- `aside_…`: sets of which a run leaves at least one out, to see how it does on foreign claims;
- `held_out`, `test`: claims of FEVER's development set on pages that no training claim uses.
"""

import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.lab.train.datasets import is_tuning, read_rows, read_sentence_claims
from feverfew.lab.train.mine import Found, Mined, text_key
from feverfew.retrieve import Ranked
from feverfew.text import title_key

Piece = tuple[str, str]
Record = dict[str, Any]

_LABELS = {"SUPPORTS": "S", "REFUTES": "R", "NOT ENOUGH INFO": "N", "S": "S", "R": "R", "N": "N"}
_INFERENCE = (
    "lingnli",
    "mnli_llmsknow",
    "mnli_dev",
    "taxinli",
    "snli_cad",
    "snli_devtest",
    "mpe",
    "control",
    "help_andor",
    "monli",
)
_REASONING = ("glue_rte", "commitmentbank", "folio")
_TWO_WAY = {"glue_rte"}
"""Sets whose N mixes what is refuted with what is left open."""
_ANSWERS = ("rel_wikiqa", "rel_selqa_devtest", "rel_trecqa")
_HEALTH = ("healthver_train",)
_ASIDE = ("covidfact", "citation_integrity")
_YEAR = re.compile(r"\b(?:1\d{3}|20[0-2]\d)\b")
_TOGETHER = 4
"""Gold sentences that are shown at once: more would not fit."""
_LETTERS = 480
"""Letters of evidence beyond the first piece: what is longer would be cut while learning, and
with it perhaps the very words that settle the claim."""
_EACH = 300
"""Held-out claims of each label: enough to choose by, few enough to ask often."""


class Gold(Struct, frozen=True):
    """A labelled claim with its gold sentences; "" stands for an unknown page."""

    claim: str
    label: str
    pieces: list[Piece]


def claims_to_mine(data: Path, seed: int = 1) -> list[str]:
    """List the claims that retrieval should be asked, the most useful first."""
    rng = random.Random(seed)
    fever = [row["claim"] for row in read_rows(data / "nli/fever_train.jsonl.gz")]
    path = data / "nli/fever_train_nei_claims_only.jsonl.gz"
    still_open = [row["claim"] for row in read_rows(path)]
    for claims in (fever, still_open):
        rng.shuffle(claims)
    first = [
        row["claim"]
        for name in ("dev", "train_claims", "train_pairs")
        for row in read_rows(data / f"fever/{name}.jsonl.gz")
    ]
    return list(dict.fromkeys([*first, *still_open, *fever[:40_000]]))


def write_pairs(
    data: Path, corpus: Corpus, mined: Iterable[Mined], folder: Path, seed: int = 1
) -> dict[str, int]:
    """Write every kind of pair into its file; return how many of each."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    found = {m.claim: m.found for m in mined}
    dev = list(read_rows(data / "fever/dev.jsonl.gz"))
    never = {text_key(row["claim"]) for row in dev}
    gold = [g for g in _read_gold(data, _Titles(corpus)) if text_key(g.claim) not in never]
    kinds = _gold_kinds(gold, found, rng)
    kinds["open"] = list(_open(data, found, never, rng))
    kinds["feverous"] = list(_feverous(data, rng))
    kinds["inference"] = list(_elsewhere(data, _INFERENCE, "label"))
    kinds["reasoning"] = list(_elsewhere(data, _REASONING, "label"))
    kinds["health"] = list(_elsewhere(data, _HEALTH, "label"))
    kinds["answers"] = list(_elsewhere(data, _ANSWERS, "relevant"))
    kinds |= {f"aside_{name}": list(_elsewhere(data, [name], "label")) for name in _ASIDE}
    used = {title_key(title) for g in gold for title, _ in g.pieces if title}
    used |= {
        title_key(page)
        for row in read_rows(data / "fever/train_claims.jsonl.gz")
        for page in row["pages"]
    }
    kinds["held_out"], kinds["test"] = _development(dev, corpus, found, used, rng)
    for name, records in kinds.items():
        with (folder / f"{name}.jsonl").open("wb") as out:
            out.writelines(msgspec.json.encode(record) + b"\n" for record in records)
    return {name: len(records) for name, records in kinds.items()}


class _Titles:
    """Finds the page that a sentence stands on, if one page of the corpus has it word for word."""

    def __init__(self, corpus: Corpus) -> None:
        self._titles: dict[bytes, str] = {}
        for page in corpus:
            for sentence in page.sentences:
                self._titles.setdefault(self._digest(sentence.text), page.title)

    @staticmethod
    def _digest(text: str) -> bytes:
        return hashlib.blake2b(text_key(text).encode(), digest_size=8).digest()

    def of(self, text: str) -> str:
        """Return the title, or "" if the sentence is not in the corpus."""
        return self._titles.get(self._digest(text), "")


def _read_gold(data: Path, titles: _Titles) -> Iterator[Gold]:
    """Yield supported and refuted claims with their gold sentences."""
    for row in read_rows(data / "fever/train_pairs.jsonl.gz"):
        yield Gold(row["claim"], _LABELS[row["label"]], [(row["page"], row["text"])])
    for row in read_rows(data / "fever/train_claims.jsonl.gz"):
        if row["evidence_text"]:
            alone = row["pages"][0] if len(row["pages"]) == 1 else ""
            pieces = [(alone or titles.of(text), text) for text in row["evidence_text"]]
            yield Gold(row["claim"], _LABELS[row["label"]], pieces)
    for row in read_rows(data / "nli/fever_train.jsonl.gz"):
        pieces = [(titles.of(text), text) for text in row["ev_sents"]]
        yield Gold(row["claim"], row["label"], pieces)


def _gold_kinds(
    gold: Sequence[Gold], found: dict[str, list[Found]], rng: random.Random
) -> dict[str, list[Record]]:
    kinds: dict[str, list[Record]] = {
        f"{label}{how}": [] for how in ("", "_among") for label in ("supported", "refuted")
    }
    kinds |= {"other": [], "relevant": [], "irrelevant": [], "dated": []}
    names = {"S": "supported", "R": "refuted"}
    for g in gold:
        pieces = g.pieces[:_TOGETHER]
        known: Record = {"relevant": True} if len(pieces) == 1 else {}
        record = {"claim": g.claim, "evidence": pieces, "label": g.label, **known}
        kinds[names[g.label]].append(record)
        own = {text_key(text) for _, text in g.pieces}
        pages = {title_key(title) for title, _ in g.pieces if title}
        beside = [f for f in found.get(g.claim, []) if text_key(f.text) not in own]
        if not beside:
            continue
        others = [(f.title, f.text) for f in rng.sample(beside[:6], min(3, len(beside[:6])))]
        among = _fitting([*pieces, *others])
        if len(among) > len(pieces):
            rng.shuffle(among)
            kinds[f"{names[g.label]}_among"].append(
                {"claim": g.claim, "evidence": among, "label": g.label}
            )
        if not pages:
            continue  # the gold page unknown, what lies beside may be on it
        for title, text in pieces:
            if title:
                kinds["relevant"].append(
                    {"claim": g.claim, "evidence": [(title, text)], "relevant": True}
                )
        same = [f for f in beside if title_key(f.title) in pages]
        apart = [f for f in beside if title_key(f.title) not in pages]
        for f in rng.sample(same, min(2, len(same))):
            record = {"claim": g.claim, "evidence": [(f.title, f.text)], "relevant": False}
            kinds["irrelevant"].append(record)
            if g.label == "S" and _of_other_years(g.claim, f.text):
                kinds["dated"].append(record | {"label": "N"})
        chosen = _fitting([(f.title, f.text) for f in apart[: rng.choice((1, 1, 2, 3))]])
        if chosen:
            record = {"claim": g.claim, "label": "N", "evidence": chosen}
            kinds["other"].append(record | ({"relevant": False} if len(chosen) == 1 else {}))
    return kinds


def _of_other_years(claim: str, text: str) -> bool:
    years, others = (set(_YEAR.findall(said)) for said in (claim, text))
    return bool(years and others) and years.isdisjoint(others)


def _fitting(pieces: Sequence[Piece]) -> list[Piece]:
    """Keep the first pieces, as many as are learned from without being cut; at least one."""
    kept: list[Piece] = []
    letters = 0
    for title, text in pieces:
        letters += len(title) + len(text)
        if kept and letters > _LETTERS:
            break
        kept.append((title, text))
    return kept


def _open(
    data: Path, found: dict[str, list[Found]], never: set[str], rng: random.Random
) -> Iterator[Record]:
    """Yield open claims, each with the best few sentences and with some of the next."""
    claims = [row["claim"] for row in read_rows(data / "nli/fever_train_nei_claims_only.jsonl.gz")]
    claims += [
        row["claim"]
        for row in read_rows(data / "fever/train_claims.jsonl.gz")
        if row["label"] == "NOT ENOUGH INFO"
    ]
    for claim in claims:
        sentences = found.get(claim, [])
        if not sentences or text_key(claim) in never:
            continue
        first = sentences[: rng.choice((1, 1, 2, 3, 4))]
        some = rng.sample(sentences[:8], min(len(sentences[:8]), rng.choice((1, 2, 3))))
        for chosen in (first, some):
            pieces = _fitting([(f.title, f.text) for f in chosen])
            yield {"claim": claim, "evidence": pieces, "label": "N"}


def _feverous(data: Path, rng: random.Random) -> Iterator[Record]:
    """Yield FEVEROUS's sentence claims; a supported one with a sentence missing is open."""
    for one in read_sentence_claims(data):
        if not one.learned:
            continue
        pieces, label = list(one.pieces), "SR"[one.label]
        yield {"claim": one.claim, "evidence": pieces, "label": label}
        if label == "S" and len(pieces) > 1:
            left = rng.sample(pieces, len(pieces) - 1)
            yield {"claim": one.claim, "evidence": left, "label": "N"}


def _elsewhere(data: Path, names: Sequence[str], what: str) -> Iterator[Record]:
    for name in names:
        for row in read_rows(data / f"nli/{name}.jsonl.gz"):
            evidence = [(row.get("title", ""), row["evidence"])]
            value = row["label"] if what == "label" else row["label"] == "S"
            if name in _TWO_WAY and value == "N":
                value = "X"
            yield {"claim": row["claim"], "evidence": evidence, what: value}


def _development(
    dev: Sequence[Record],
    corpus: Corpus,
    found: dict[str, list[Found]],
    used: set[str],
    rng: random.Random,
) -> tuple[list[Record], list[Record]]:
    """Split the development claims by page: some to choose the best by, the rest to report on."""
    parts: tuple[list[Record], list[Record]] = ([], [])
    counts = {"S": 0, "R": 0, "N": 0}
    shuffled = list(dev)
    rng.shuffle(shuffled)
    still_open = [row["claim"] for row in dev if row["label"] == "NOT ENOUGH INFO"]
    ranked = Ranked.open(corpus).retrieve(still_open, 1)
    first = {claim: own[0].title for claim, own in zip(still_open, ranked, strict=True) if own}
    for row in shuffled:
        label, near = _LABELS[row["label"]], found.get(row["claim"], [])
        sets = [[(e[2], e[3]) for e in group] for group in row["evidence"]]
        pages = {title_key(page) for group in sets for page, _ in group if page}
        if not row.get("exact", True) or pages & used or (label == "N" and not near):
            continue
        testing = not is_tuning(min(pages) if pages else first.get(row["claim"], ""))
        if not testing:
            counts[label] += 1
            if counts[label] > _EACH:
                continue
        keep = parts[testing]
        if label == "N":
            evidence = [(f.title, f.text) for f in near[: 5 if testing else 3]]
            keep.append({"claim": row["claim"], "evidence": evidence, "label": "N"})
            continue
        best = min(sets, key=len)
        evidence = [(page, _sentence(corpus, page, line)) for page, line in best]
        keep.append({"claim": row["claim"], "evidence": evidence, "label": label})
        if testing or counts[label] > _EACH // 2:
            continue
        own = {text_key(text) for _, text in evidence}
        own |= {text_key(_sentence(corpus, page, line)) for group in sets for page, line in group}
        keep.append({"claim": row["claim"], "evidence": evidence[:1], "relevant": True})
        beside = [f for f in near if text_key(f.text) not in own]
        for f in rng.sample(beside, min(2, len(beside))):
            keep.append({"claim": row["claim"], "evidence": [(f.title, f.text)], "relevant": False})
    return parts


def _sentence(corpus: Corpus, page: str, line: int) -> str:
    return next((s.text for s in corpus.page(page).sentences if s.index == line), "")
