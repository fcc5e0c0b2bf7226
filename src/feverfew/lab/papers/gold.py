"""Gold evidence, and what is sampled for claims without any."""

import random
from collections.abc import Sequence

from feverfew.corpus import Corpus
from feverfew.errors import InputError, NotFound
from feverfew.lab.papers.sentences import read_sentences
from feverfew.retrieve import Candidate, Retriever
from feverfew.text import display_title
from feverfew.types import Claim, Context, Evidence, Ref

SAMPLINGS = ("nearestp", "randoms")


def as_evidence(corpus: Corpus, ref: Ref) -> Evidence:
    """Read an element as a piece of evidence; one that the corpus lacks is empty."""
    try:
        text = corpus.element(ref)
    except NotFound:
        text = ""
    return Evidence(ref=ref, text=text, context=Context(display_title(ref.page)), score=0.0)


def gold_sentences(corpus: Corpus, claim: Claim) -> list[Evidence]:
    """Read the smallest gold set of a claim."""
    return [as_evidence(corpus, ref) for ref in min(claim.evidence, key=len)]


def gold_pages(corpus: Corpus, claim: Claim) -> list[Candidate]:
    """Find the pages of the smallest gold set."""
    titles = dict.fromkeys(ref.page for ref in min(claim.evidence, key=len))
    found = [(corpus.number(title), title) for title in titles]
    return [Candidate(number, title, 0.0) for number, title in found if number is not None]


def sampled(
    corpus: Corpus, retriever: Retriever, claims: Sequence[str], sampling: str, seed: int = 1
) -> list[list[Candidate]]:
    """Find a page for each open claim: the nearest, or any at all."""
    if sampling not in SAMPLINGS:
        raise InputError(f"no sampling is called {sampling!r}; there are {', '.join(SAMPLINGS)}")
    if sampling == "nearestp":
        return [_with_text(corpus, own) for own in retriever.retrieve(claims, 3)]
    rng, last = random.Random(seed), corpus.store.last_number()
    found: list[list[Candidate]] = []
    while len(found) < len(claims):
        number = rng.randint(1, last)
        page = corpus.store.page(number)
        if page is not None and page.sentences:
            found.append([Candidate(number, page.title, 0.0)])
    return found


def _with_text(corpus: Corpus, pages: Sequence[Candidate]) -> list[Candidate]:
    """Keep the first page that says anything."""
    for page in pages:
        if any(read_sentences(corpus, [page])):
            return [page]
    return []


def one_sentence(corpus: Corpus, pages: Sequence[Candidate], rng: random.Random) -> list[Evidence]:
    """Draw a sentence from a claim's page."""
    said = [one for own in read_sentences(corpus, pages) for one in own]
    return [as_evidence(corpus, rng.choice(said).ref)] if said else []
