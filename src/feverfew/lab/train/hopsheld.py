"""Set hop scorers side by side on the held-out tenth: `python -m feverfew.lab.train.hopsheld`.

So that one of them is chosen without a look at what is reported on. Claims of `--more` are asked,
too: those whose page is held out.
"""

from pathlib import Path

import click
import numpy as np

from feverfew.corpus import Corpus
from feverfew.judge import Encoder
from feverfew.lab.train.hops import more_claims
from feverfew.lab.train.hover import HoverClaim, hover_claims, is_held_out, is_test
from feverfew.models.network import Network
from feverfew.retrieve import Hops, Ranked
from feverfew.retrieve.multihop_features import TRAIL_FEATURES

__all__ = ["held_out_claims"]

_DEPTHS = (5, 10, 100)


def held_out_claims(
    claims: Path, more: tuple[Path, ...], corpus: Corpus
) -> dict[str, list[HoverClaim]]:
    """List the claims that decide when to stop, HoVer's by how many pages they need."""
    given = [claim for claim in hover_claims(claims) if not is_test(claim.question)]
    given += more_claims(more, corpus, np.random.default_rng(1))
    held = [claim for claim in given if is_held_out(claim.question)]
    names = {0: "more", 2: "2 pages", 3: "3 pages", 4: "4 pages"}
    parts = {name: [c for c in held if c.hops == hops] for hops, name in names.items()}
    return {name: own for name, own in parts.items() if own}


@click.command()
@click.option("--corpus", "directory", required=True, type=Path, help="A corpus directory.")
@click.option("--claims", required=True, type=Path, help="HoVer's claims.")
@click.option("--more", multiple=True, type=Path, help="Other claims, as for training.")
@click.option("--weights", multiple=True, type=Path, help="Networks; the shipped ones come first.")
@click.option("--most", default=100_000, show_default=True, help="Ask no more of each sort.")
def main(
    directory: Path, claims: Path, more: tuple[Path, ...], weights: tuple[Path, ...], most: int
) -> None:
    """Say how often all gold pages are among the best, for each file of networks."""
    corpus = Corpus.open(directory)
    ranked = Ranked.open(corpus)
    encoder = Encoder.shipped()
    scorers = {"shipped": Hops.open(corpus, encoder)}
    for path in weights:
        rankers = list(Network.load(path, TRAIL_FEATURES).values())
        scorers[path.name] = Hops(corpus, ranked, rankers, encoder)
    for part, own in held_out_claims(claims, more, corpus).items():
        asked = own[:most]
        gold = [{corpus.number(page) for page in claim.pages} for claim in asked]
        for name, hops in scorers.items():
            found = [
                [candidate.number for candidate in hops.retrieve([claim.text], max(_DEPTHS))[0]]
                for claim in asked
            ]
            pairs = list(zip(gold, found, strict=True))
            counts = {k: sum(pages <= set(best[:k]) for pages, best in pairs) for k in _DEPTHS}
            shares = (f"in the top {k}: {100 * n / len(pairs):.1f} %" for k, n in counts.items())
            click.echo(f"{name}, {part}: {len(asked)} claims, all pages {', '.join(shares)}")


if __name__ == "__main__":
    main()
