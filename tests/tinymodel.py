"""Make very small models for tests: a tokeniser of a few words, and pairs that can be learned."""

from pathlib import Path

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from feverfew.lab.train.pairs import UNKNOWN, Pair
from feverfew.models.inputs import TOKENISER

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "is", "red", "blue", "not", "sea", "sky", "rose"]
PAIRS = [
    *(Pair(f"{x} is red", f"{x} is red", 0, 1) for x in ("sea", "sky", "rose")),
    *(Pair(f"{x} is red", f"{x} is not red", 1, 1) for x in ("sea", "sky", "rose")),
    *(Pair(f"{x} is red", "blue blue", 2, 0) for x in ("sea", "sky", "rose")),
    Pair("sea is red", "blue", UNKNOWN, 0),
]


def tiny_tokeniser() -> Tokenizer:
    made = Tokenizer(models.WordPiece({w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return made


def write_tokeniser(folder: Path) -> Path:
    """Write the tokeniser into a folder; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    tiny_tokeniser().save(str(folder / TOKENISER))
    return folder


TROUBLE = ["", " ", "?", "\0\x07", "🦜" * 50, "word " * 3000, "سلام", "x" * 5_000]
"""Texts that no model should stumble over."""

ALIKE = [0, 1, 2, 3, 0, 1, 2, 0, 1, 2]
"""Widens rows of four logits, as if every kind of evidence were read alike."""
