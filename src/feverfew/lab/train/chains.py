"""Train what claims over several pages need: `python -m feverfew.lab.train.chains --corpus DIR …`.

Which sentences of the pages found in rounds matter, and how likely they support the claim, read
together. Claims are HoVer's; the third that is reported on (`hover.is_test`) is left out. With
FEVER's development claims for tuning, what needs one page only is learned as well. numpy is all it
needs. Fit it again after the encoder, its aggregators (`feverfew train aggregator`) or the hop
scorer have changed, in this order: it weighs what they say.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import click
import msgspec

from feverfew.check.chained import CHAIN_PIECES, ChainWeights
from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.judge import Judge
from feverfew.judge.chain_features import FOUND, GIVEN
from feverfew.lab.train.chainrows import Choice, Story, choices, found_rows, given_rows, rank
from feverfew.lab.train.hover import HEAD_HALF, half, hover_claims, is_test
from feverfew.lab.train.logistic import Examples, Fitted, fit
from feverfew.lab.train.splits import development
from feverfew.retrieve import Batch, Candidate
from feverfew.select.multihop import CHAIN_PAGES
from feverfew.types import Claim, Evidence, Kind, Verdict

__all__ = ["balance", "stories_of", "taught_the_head", "train", "tuning_stories", "weigh"]

_GROUP = 32
_ONE_PAGE = 0.25
"""How much FEVER's claims count beside HoVer's, all together."""

T = TypeVar("T")


def stories_of(claims: Path, most: int, seed: int) -> list[Story]:
    """Read HoVer's claims that may be learned from, in an order that the seed decides."""
    given = [claim for claim in hover_claims(claims) if not is_test(claim.question)]
    random.Random(seed).shuffle(given)
    return [
        Story(c.text, c.label == "SUPPORTED", c.question, c.hops, c.facts) for c in given[:most]
    ]


def tuning_stories(data: Path, corpus: Corpus, most: int, seed: int) -> list[Story]:
    """Read FEVER's development claims for tuning."""
    given = [claim for claim in development(data, corpus).tuning if claim.label]
    random.Random(seed).shuffle(given)
    return [
        Story(c.text, c.label is Verdict.SUPPORTED, c.group or str(c.id), 1, _smallest(c))
        for c in given[:most]
    ]


def _smallest(claim: Claim) -> tuple[tuple[str, int], ...]:
    refs = min(claim.evidence, key=len, default=())
    return tuple((ref.page, ref.position[0]) for ref in refs)


def balance(stories: Sequence[Story]) -> list[float]:
    """Say how much each claim counts, so that both labels count the same at each length."""
    sizes = Counter((story.hops, story.supported) for story in stories)
    lengths = Counter(story.hops for story in stories)
    hover = sum(count for hops, count in lengths.items() if hops > 1)
    scale = _ONE_PAGE * hover / lengths[1] if lengths[1] and hover else 1.0
    return [
        (scale if story.hops == 1 else 1.0)
        * lengths[story.hops]
        / (2 * sizes[story.hops, story.supported])
        for story in stories
    ]


def train(
    corpus: Corpus,
    judge: Judge,
    stories: Sequence[Story],
    pages: Sequence[Sequence[Candidate]],
    seed: int,
    judged: int = 100_000,
) -> ChainWeights:
    """Train the ranking of sentences, then what weighs the readings of those it chooses.

    No more claims than `judged` are read by the encoder, which takes most of the time; none of
    those that its head for chains was fitted to (`train.refit`).
    """
    read = choices(corpus, stories, pages)
    network, ranked = rank(read, seed)
    evidence = [_sentences(own) for own in ranked]
    _say_choice(read, evidence)
    kept = [
        (one.story, own)
        for one, own in zip(read, evidence, strict=True)
        if own and not taught_the_head(one.story)
    ]
    random.Random(seed).shuffle(kept)
    found, given = weigh(corpus, judge, kept[:judged], seed)
    return ChainWeights(network, found.weighing, given.weighing)


def taught_the_head(story: Story) -> bool:
    """Say whether the verdict head of chains was fitted to a claim: it is too sure of these."""
    return story.hops > 1 and half(story.owner) == HEAD_HALF


def weigh(
    corpus: Corpus, judge: Judge, asked: Sequence[tuple[Story, list[Evidence]]], seed: int
) -> tuple[Fitted, Fitted]:
    """Fit what weighs readings: of evidence that was found, and of gold evidence."""
    found, given = Examples.empty(), Examples.empty()
    counts = balance([story for story, _ in asked])
    rng = random.Random(seed)
    for group in _shown(list(_groups(list(zip(asked, counts, strict=True)))), "reading"):
        stories = [story for (story, _), _ in group]
        count = {story: own for (story, _), own in group}
        rows = found_rows(judge, stories, [evidence for (_, evidence), _ in group])
        for story, row in zip(stories, rows, strict=True):
            found.add(row, story.supported, count[story], story.owner)
        for story, row in given_rows(judge, corpus, stories, rng):
            given.add(row, story.supported, count[story], story.owner)
    fitted = fit(found, FOUND, seed), fit(given, GIVEN, seed)
    for name, one in zip(("found", "given"), fitted, strict=True):
        click.echo(
            f"{name} evidence: {100 * one.accuracy:.1f} % of claims left out in turn are right, "
            f"labels balanced; ridge {one.ridge:g}, slope {one.slope:g}",
            err=True,
        )
    return fitted


@click.command()
@click.option("--corpus", "directory", required=True, type=Path, help="A corpus directory.")
@click.option("--claims", required=True, type=Path, help="HoVer's claims.")
@click.option("--fever", type=Path, help="A folder with FEVER's development claims.")
@click.option("--model", type=Path, help="A model's folder; without it, the shipped one.")
@click.option("--limit", default=100_000, show_default=True, help="Learn from no more claims.")
@click.option("--judged", default=100_000, show_default=True, help="Read no more of them.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the weights.")
@click.option("--seed", default=1, show_default=True, help="Decides order and first weights.")
def main(
    directory: Path,
    claims: Path,
    fever: Path | None,
    model: Path | None,
    limit: int,
    judged: int,
    output: Path,
    seed: int,
) -> None:
    """Train what claims over several pages need."""
    with Corpus.open(directory) as corpus:
        stories = stories_of(claims, limit, seed)
        if fever:
            stories += tuning_stories(fever, corpus, len(stories) // 3, seed)
        if not stories:
            raise InputError(f"{claims} holds no claims that may be learned from")
        with Batch(corpus.path, retriever="hops") as hops:
            pages = hops.retrieve([story.text for story in stories], CHAIN_PAGES)
        weights = train(corpus, Judge.open(model), stories, pages, seed, judged)
    output.write_bytes(msgspec.json.encode(weights) + b"\n")


def _sentences(ranked: Sequence[Evidence]) -> list[Evidence]:
    return [one for one in ranked if one.ref.kind is Kind.SENTENCE][:CHAIN_PIECES]


def _say_choice(read: Sequence[Choice], evidence: Sequence[Sequence[Evidence]]) -> None:
    for hops in sorted({one.story.hops for one in read}):
        own = [pair for pair in zip(read, evidence, strict=True) if pair[0].story.hops == hops]
        own = [(one, cited) for one, cited in own if one.gold_pages]
        complete = sum(one.complete(cited) for one, cited in own) / (len(own) or 1)
        click.echo(
            f"{hops} pages: {len(own)} claims left out in turn, a gold sentence of every gold "
            f"page among {CHAIN_PIECES}: {100 * complete:.1f} %",
            err=True,
        )


def _groups(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), _GROUP):
        yield items[start : start + _GROUP]


def _shown(items: Sequence[T], label: str) -> Iterator[T]:
    with click.progressbar(items, label=label, file=sys.stderr) as bar:
        yield from bar


if __name__ == "__main__":
    main()
