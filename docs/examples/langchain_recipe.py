"""LangChain: the corpus as a retriever, and a step that checks what a model wrote."""

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from pydantic import ConfigDict

import feverfew
from feverfew.check.documents import passages
from feverfew.select import PAGES


class FeverfewRetriever(BaseRetriever):
    """Finds the k sentences of a corpus most likely to settle a question or a claim."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    corpus: feverfew.Corpus
    k: int = 5

    def _get_relevant_documents(self, query, *, run_manager):
        pages = feverfew.Ranked.open(self.corpus).retrieve([query], PAGES)
        found = feverfew.Sentences.open(self.corpus).select([query], pages, self.k)[0]
        return [
            Document(p.text, metadata={"id": str(p.ref), "title": p.context.title}) for p in found
        ]


def check_answer(checker):
    """Make a step that follows a model: its text goes in, text and reports come out."""

    def check(answer):
        text = getattr(answer, "content", answer)  # a message, or plain text
        claims = [one.claim for one in passages(text) if not one.skipped]
        reports = checker.check(claims)
        wrong = [report for report in reports if report.verdict == feverfew.Verdict.REFUTED]
        return {"text": text, "reports": reports, "refuted": wrong}

    return RunnableLambda(check)
