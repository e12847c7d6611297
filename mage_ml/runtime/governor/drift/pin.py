"""A constraint as it is held against texts: its wordings in each language, and whom it binds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import re2

from mage_ml.errors import ConfigError
from mage_ml.runtime.evaluators.normalise import normalised
from mage_ml.runtime.governor.constraint import Constraint, Scope

_PART_END = re2.compile(r"[.!;](?:\s|$)|[。！；\n]")
_HAN = re2.compile(r"[\p{Han}]")
_MAX_PARTS: Final = 16


@dataclass(frozen=True)
class Pin:
    """A constraint that is held against texts.

    Attributes:
        constraint_id: Its name.
        english: Its text in English; empty if it has none.
        chinese: Its text in Chinese; empty if it has none.
        wordings: Further wordings that a person has accepted as saying the same, whole and in either language.
        scope: Whom it binds.
        version: Of the constraint.
    """

    constraint_id: str
    english: str = ""
    chinese: str = ""
    wordings: tuple[str, ...] = ()
    scope: Scope = field(default_factory=Scope)
    version: int = 1

    def __post_init__(self) -> None:
        if not (self.english.strip() or self.chinese.strip()):
            raise ConfigError(f"constraint {self.constraint_id!r} has no text to be pinned; give it in `en` or `zh`")

    @classmethod
    def of(cls, constraint: Constraint, wordings: tuple[str, ...] = ()) -> Pin:
        """The pin of a constraint."""
        text = constraint.text
        return cls(constraint.id, text.en, text.zh, wordings, constraint.scope, constraint.version)

    @classmethod
    def of_text(cls, constraint_id: str, text: str, *, agents: tuple[str, ...] = ()) -> Pin:
        """The pin of a rule that is only a text, in the language in which it is written."""
        chinese = text if _HAN.search(text) else ""
        return cls(constraint_id, "" if chinese else text, chinese, scope=Scope(agents=agents))

    @property
    def texts(self) -> tuple[str, ...]:
        """Its texts, English first."""
        return tuple(text for text in (self.english, self.chinese) if text.strip())

    @property
    def languages(self) -> frozenset[str]:
        """The languages it has a wording in."""
        return frozenset("zh" if _HAN.search(text) else "en" for text in (*self.texts, *self.wordings))

    @cached_property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """Its sentences, each with its wordings: in English, in Chinese, then accepted ones.

        A text of several sentences has to be kept sentence by sentence. Where its languages differ in the number of
        sentences, or further wordings were accepted, the texts are compared whole.
        """
        split = [_sentences(text) for text in self.texts]
        if self.wordings or len({len(found) for found in split}) > 1 or len(split[0]) > _MAX_PARTS:
            whole = tuple(normalised(text).strip() for text in self.texts)
            padded = whole if len(whole) == 2 else (*whole, whole[0])
            return ((*padded, *(normalised(text).strip() for text in self.wordings)),)
        return tuple(zip(*split, strict=True))


def _sentences(text: str) -> list[str]:
    return [piece.strip() for piece in _PART_END.split(normalised(text)) if piece.strip()]
