"""Fits the base vocabulary to the task: rare words go, common Chinese characters come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tokenizers import Tokenizer

if TYPE_CHECKING:
    from pathlib import Path

SPECIAL_TOKENS: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_CHINESE_PUNCTUATION: Final = "，。、；：？！“”‘’（）《》【】—…￥％"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A tokenizer and where its embeddings come from.

    Attributes:
        tokenizer: The fitted tokenizer.
        base_rows: Per new token id, the row of the base embedding; `None` for an added character.
    """

    tokenizer: Tokenizer
    base_rows: tuple[int | None, ...]


def fit_vocabulary(tokenizer_file: Path, words: int) -> Vocabulary:
    """Build the student's vocabulary from the base one.

    Kept are special tokens, all single characters, all word pieces, and the most frequent whole words (a BERT
    vocabulary is ordered by frequency). Words that go are still readable, as pieces. Added are the 3,755 most common
    Chinese characters (level one of GB 2312) as far as they are missing; BERT reads Chinese by character.

    Args:
        tokenizer_file: The base model's `tokenizer.json` (WordPiece).
        words: Whole words to keep.
    """
    data: dict[str, Any] = json.loads(tokenizer_file.read_text(encoding="utf-8"))
    base: dict[str, int] = data["model"]["vocab"]
    ranked = sorted((token for token in base if not token.startswith("[")), key=base.__getitem__)
    whole = [token for token in ranked if token.isascii() and not token.startswith("##") and len(token) > 1]
    kept_words = set(whole[:words])
    kept = [*SPECIAL_TOKENS]
    kept += [token for token in ranked if token in kept_words or _is_piece(token) or len(token) == 1]
    known = set(kept)
    added = [character for character in _common_chinese() if character not in known]
    tokens = [*kept, *added]
    data["model"]["vocab"] = {token: index for index, token in enumerate(tokens)}
    data["truncation"] = data["padding"] = None
    _renumber(data)
    return Vocabulary(Tokenizer.from_str(json.dumps(data)), tuple(base.get(token) for token in tokens))


def _is_piece(token: str) -> bool:
    return token.startswith("##") and token.isascii()


def _common_chinese() -> Iterator[str]:
    yield from _CHINESE_PUNCTUATION
    for row in range(0xB0, 0xD8):
        for cell in range(0xA1, 0xFF):
            character = bytes((row, cell)).decode("gb2312", errors="ignore")
            if character:
                yield character


def _renumber(data: dict[str, Any]) -> None:
    vocab = data["model"]["vocab"]
    for token in data["added_tokens"]:
        token["id"] = vocab[token["content"]]
    for name, special in data["post_processor"]["special_tokens"].items():
        special["ids"] = [vocab[name]]
