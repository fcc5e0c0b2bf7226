"""Examples for the OpenAPI document, which a test sends to a real server."""

from typing import Any

__all__ = ["CHECK", "CHECKED", "SCORE", "SEARCH", "SEARCHED", "VERIFY"]

CHECK: dict[str, Any] = {"claims": ["Fritz Lang directed Metropolis."]}
CHECKED: dict[str, Any] = {
    "reports": [
        {
            "claim": "Fritz Lang directed Metropolis.",
            "verdict": "SUPPORTED",
            "probabilities": {"SUPPORTED": 0.79, "REFUTED": 0.03, "NOT ENOUGH INFO": 0.18},
            "evidence": [
                {
                    "id": "Metropolis (1927 film)_sentence_0",
                    "page": "Metropolis (1927 film)",
                    "section": "",
                    "name": "",
                    "text": "Metropolis is a silent science-fiction film that Fritz Lang directed.",
                    "says": "SUPPORTED",
                    "probabilities": {"SUPPORTED": 0.97, "REFUTED": 0.01, "NOT ENOUGH INFO": 0.02},
                    "decisive": True,
                    "hop": 0,
                }
            ],
            "sets": [["Metropolis (1927 film)_sentence_0"]],
            "against": [],
            "considered": [],
            "open_reason": None,
            "missing": "",
            "reasons": ["Metropolis (1927 film) supports it."],
            "parts": [],
            "seconds": {"find": 0.01, "judge": 0.09},
            "corpus": "9f2c66d15ba4e034",
            "model": "5c1a0b7d9e8f4321",
            "chain": [],
            "tables": [],
        }
    ]
}
VERIFY: dict[str, Any] = {
    "claims": [{"id": 1, "claim": "Fritz Lang was born in 1975."}],
    "format": "fever",
}
SEARCH: dict[str, Any] = {"claims": ["Fritz Lang was born in Vienna."], "k": 2}
SEARCHED: dict[str, Any] = {
    "found": [{"pages": [{"title": "Fritz Lang", "score": 7.1}, {"title": "Vienna", "score": 5.9}]}]
}
SCORE: dict[str, Any] = {
    "task": "fever",
    "claims": [
        {
            "id": 1,
            "claim": "Fritz Lang was born in Vienna.",
            "label": "SUPPORTS",
            "evidence": [[[None, None, "Fritz Lang", 0]]],
        }
    ],
    "predictions": [
        {"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["Fritz Lang", 0]]}
    ],
    "samples": 100,
}
