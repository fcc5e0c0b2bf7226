"""LlamaIndex: the corpus as a retriever, and a postprocessor's counterpart that checks answers."""

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode

import feverfew
from feverfew.check.documents import passages
from feverfew.select import PAGES


class FeverfewRetriever(BaseRetriever):
    """Finds the k sentences of a corpus most likely to settle a question or a claim."""

    def __init__(self, corpus, k=5):
        super().__init__()
        self._corpus, self._k = corpus, k

    def _retrieve(self, query_bundle):
        query = query_bundle.query_str
        pages = feverfew.Ranked.open(self._corpus).retrieve([query], PAGES)
        found = feverfew.Sentences.open(self._corpus).select([query], pages, self._k)[0]
        return [
            NodeWithScore(
                node=TextNode(text=p.text, id_=str(p.ref), metadata={"title": p.context.title}),
                score=p.score,
            )
            for p in found
        ]


def check_response(checker, response):
    """Check what a query engine answered: a report for each of its sentences."""
    claims = [one.claim for one in passages(str(response)) if not one.skipped]
    return checker.check(claims)
