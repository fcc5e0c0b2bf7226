"""Make claims that need up to four pages: `python -m feverfew.factory.extend --corpus DIR -o FILE`.

HoVer's way (section 2.1.2): a name in a claim is replaced by what another page, one that links to
it, says of it; then again. By method 1 the name is the title of a page that the claim rests on; by
method 2 it is another that such a page links to. Where HoVer asked people for the words, they come
from `relations`, and the first claim, of one page, from `mutate`.
"""

import random
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.factory.draw import evidence_pages, mutate_corpus
from feverfew.factory.relations import Clause, called, clauses
from feverfew.text import display_title, title_key, without_parenthesis, words
from feverfew.types import Page, Ref, Verdict

_LOOKED_AT = 100
"""Pages that link to a thing, to look at for a description: thousands link to some."""
_SENTENCES = 6
_ATTEMPTS = 400
"""Claims of one page to try for each that is wanted, before giving up: few reach four pages."""


class Name(Struct, frozen=True):
    """A name in a claim that may be replaced."""

    text: str
    page: int
    """The page of that name."""
    at: int
    """Which page of the claim knows it: itself by method 1, one that links to it by method 2."""
    method: int


class Chain(Struct, frozen=True, kw_only=True):
    """A claim, the pages it rests on, and how they hang together."""

    claim: str
    label: Verdict
    facts: tuple[Ref, ...]
    pages: tuple[int, ...]
    names: tuple[Name, ...]
    edges: tuple[tuple[int, int], ...] = ()
    """Which of its pages are joined, by their places in `pages`."""
    methods: tuple[int, ...] = ()
    forms: tuple[str, ...] = ()
    """Of the descriptions, each once: 'the place in which the place in which X lies lies'."""


def shape(chain: Chain) -> str:
    """Name the graph of a claim's pages: single, chain or star."""
    ends = [at for edge in chain.edges for at in edge]
    if not ends:
        return "single"
    return "star" if max(map(ends.count, ends)) > 2 else "chain"


class Extender:
    """Extends claims by pages of a corpus."""

    def __init__(self, corpus: Corpus, rng: random.Random, apart_from: Collection[str]) -> None:
        self._corpus, self._rng, self._apart = corpus, rng, apart_from

    def start(self, claim: str, label: Verdict, ref: Ref) -> Chain | None:
        """Begin with a claim about one page; None where it does not name the page."""
        number = self._corpus.number(ref.page)
        name = without_parenthesis(display_title(ref.page))
        if number is None or not _once(claim, name):
            return None
        others = self._corpus.store.titles(self._corpus.links.out(number))
        names = [Name(name, number, 0, 1)]
        for other, title in others.items():
            text = without_parenthesis(display_title(title))
            if _once(claim, text) and text not in name and name not in text:
                names.append(Name(text, other, 0, 2))
        return Chain(claim=claim, label=label, facts=(ref,), pages=(number,), names=tuple(names))

    def extend(self, chain: Chain) -> Chain | None:
        """Replace one name by a description from a page that links to it; None if none fits."""
        names = list(chain.names)
        self._rng.shuffle(names)
        known = " ".join(text for number in chain.pages for text in self._page(number).texts())
        for name in names:
            sources = self._corpus.links.into(name.page)
            for source in self._rng.sample(sources, min(_LOOKED_AT, len(sources))):
                page = self._page(source)
                if source in chain.pages or not self._may_use(page, known):
                    continue
                if (made := self._described(chain, name, source, page)) is not None:
                    return made
        return None

    def longer(self, chain: Chain | None, most: int) -> Iterator[Chain]:
        """Extend a claim again and again, to as many pages."""
        while chain is not None and len(chain.pages) < most:
            if (chain := self.extend(chain)) is not None:
                yield chain

    def _page(self, number: int) -> Page:
        return self._corpus.store.page(number) or Page("")

    def _may_use(self, page: Page, known: str) -> bool:
        """Leave out pages that those of the claim name already: they would give it away."""
        name = without_parenthesis(display_title(page.title))
        return (
            bool(name)
            and not page.disambiguation
            and not name.startswith(("List of", "Outline of"))
            and name not in known
            and title_key(page.title) not in self._apart
        )

    def _described(self, chain: Chain, name: Name, source: int, page: Page) -> Chain | None:
        for sentence in page.sentences[:_SENTENCES]:
            anchors = [k.text for k in sentence.links if self._corpus.number(k.target) == name.page]
            if not anchors and not self._told(name.page, sentence.text):
                continue
            for clause in clauses(sentence.text, page.title, [name.text, *anchors]):
                if clause.form in chain.forms or _misplaced(chain.claim, name.text, clause):
                    continue
                if not clause.only and chain.label != Verdict.SUPPORTED:
                    continue
                claim = _substituted(chain.claim, name.text, clause.text)
                written = _as_written(claim, page.title)
                if not _once(claim, written):
                    continue
                place = len(chain.pages)
                kept = [n for n in chain.names if n != name and _once(claim, n.text)]
                return replace(
                    chain,
                    claim=claim,
                    facts=(*chain.facts, Ref.sentence(page.title, sentence.index)),
                    pages=(*chain.pages, source),
                    names=(*kept, Name(written, source, place, 1)),
                    edges=(*chain.edges, (name.at, place)),
                    methods=(*chain.methods, name.method),
                    forms=(*chain.forms, clause.form),
                )
        return None

    def _told(self, number: int, sentence: str) -> bool:
        """Say whether a sentence tells of a page's parenthesis: not every X is 'X (footballer)'."""
        title = display_title(self._corpus.store.titles([number]).get(number, ""))
        parenthesis = title[len(without_parenthesis(title)) :]
        return set(words(parenthesis)) <= set(words(sentence))


_BEFORE = re.compile(
    r"(?:^|\b(?:in|by|from|for|with|to|at|on|and|near|between|than|is|was|are|were|of|which|where|that|whom|[a-z]+ed"
    r"|the one who [a-z]+)(?: the)? |^The )$"
)
_AFTER = re.compile(
    r"(?:$|[.,;]|'s (?=[a-z])| (?:in|on|at|and|as|for|from|with|to|by|is|was|are|were|has|had|did"
    r"|can|lies|came|died|lived|flows|after|before|during|since|where|who|which|[a-z]+ed)\b)"
)

_PLACE_BEFORE = re.compile(r"\b(?:in|where|near|at|from)(?: the)? $")


def _once(claim: str, name: str) -> bool:
    """Say whether a claim has a name once, and by itself: not 'Austria' in 'Austrian'.

    Nor 'England' in 'an England international': a description would not fit there.
    """
    if claim.count(name) != 1 or not any(map(str.isalpha, name)):
        return False
    at = claim.index(name)
    before, after = claim[:at], claim[at + len(name) :]
    if re.search(r"\b(?:city|town|state|county|province|village) of (?:the )?$", before):
        return False
    return bool(_BEFORE.search(before)) and bool(_AFTER.match(after))


def _misplaced(claim: str, name: str, clause: Clause) -> bool:
    """Say whether a team would stand where a place must: many have played for England."""
    before = claim[: claim.index(name)]
    return clause.form.startswith("a team") and bool(_PLACE_BEFORE.search(before))


def _as_written(claim: str, title: str) -> str:
    """Return a page's name as a claim has it: 'the 2012 film Savages', or 'Savages'."""
    full = called(title)
    return full if full in claim else without_parenthesis(display_title(title))


def _substituted(claim: str, name: str, clause: str) -> str:
    """Put a clause where a name stands, with its article, and a capital where one is due."""
    at = claim.index(name)
    start = at - 4 if claim[max(0, at - 4) : at].lower() == "the " else at
    made = claim[:start] + clause + claim[at + len(name) :]
    return made[0].upper() + made[1:]


def extend_corpus(
    corpus: Corpus,
    count: int,
    seed: int,
    hops: Sequence[int] = (2, 3, 4),
    apart_from: Collection[str] = (),
) -> Iterator[Chain]:
    """Yield claims of so many pages, in even shares, until there are `count` or no more are found.

    Pages whose `title_key` is in `apart_from` are left out: what is measured on must not be learned
    from.
    """
    rng = random.Random(seed)
    extender = Extender(corpus, rng, apart_from)
    counts = dict.fromkeys(hops, 0)
    share = -(-count // len(counts))
    seen: set[int] = set()
    for mutation, ref, _ in mutate_corpus(corpus, count * _ATTEMPTS, seed, apart_from):
        if mutation.label == Verdict.NOT_ENOUGH_INFO:
            continue
        chain = extender.start(mutation.claim, mutation.label, ref)
        if chain is None or chain.pages[0] in seen:
            continue
        made = {len(longer.pages): longer for longer in extender.longer(chain, max(hops))}
        # The longest that is still wanted, as it is the rarest.
        length = max((n for n in made if counts.get(n, share) < share), default=0)
        if length:
            counts[length] += 1
            seen.add(chain.pages[0])
            yield made[length]
        if sum(counts.values()) >= count:
            return


def row(chain: Chain, number: int) -> dict[str, object]:
    """Write a claim as HoVer does, with its pages by name, its shape and the methods used."""
    pages = list(dict.fromkeys(ref.page for ref in chain.facts))
    supported = chain.label == Verdict.SUPPORTED
    return {
        "uid": f"made-{number}",
        "claim": chain.claim,
        "label": "SUPPORTED" if supported else "NOT_SUPPORTED",
        "supporting_facts": [[ref.page, ref.position[0]] for ref in chain.facts],
        "num_hops": len(pages),
        "hpqa_id": pages[0],
        "pages": pages,
        "shape": shape(chain),
        "methods": chain.methods,
    }


@click.command()
@click.option("--corpus", "directory", required=True, type=Path, help="A corpus directory.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the claims.")
@click.option("--count", default=1_000, show_default=True, help="How many to make.")
@click.option("--hops", multiple=True, type=click.IntRange(2, 4), help="Pages; 2, 3 and 4 if none.")
@click.option("--seed", default=1, show_default=True, help="Decides which pages are drawn.")
@click.option(
    "--apart-from",
    multiple=True,
    type=Path,
    help="Claims to measure on later: the pages of their evidence are left out.",
)
def main(
    directory: Path,
    output: Path,
    count: int,
    hops: tuple[int, ...],
    seed: int,
    apart_from: tuple[Path, ...],
) -> None:
    """Make claims that need several pages, in HoVer's format."""
    made, left_out = 0, evidence_pages(apart_from)
    with Corpus.open(directory) as corpus, output.open("wb") as out:
        for chain in extend_corpus(corpus, count, seed, hops or (2, 3, 4), left_out):
            out.write(msgspec.json.encode(row(chain, made)) + b"\n")
            made += 1
    click.echo(f"{output}: {made:,} claims", err=True)
    if made < count:
        click.echo(f"no more than {made:,} could be made from {directory}", err=True)


if __name__ == "__main__":
    main()
