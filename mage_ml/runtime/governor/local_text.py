"""Texts in one language or both."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from mage_ml.config import Config
from mage_ml.runtime.guardrail.wording import Language, language_of_text


class LocalText(Config):
    """A text in English, in Chinese, or in both. In YAML it may be one plain string, whose language is read off it."""

    en: str = Field(default="", max_length=4000, description="In English.")
    zh: str = Field(default="", max_length=4000, description="In Chinese.")

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, data: Any) -> Any:  # noqa: ANN401 - pydantic passes the raw input
        if isinstance(data, str):
            return {language_of_text(data).value: data}
        return data

    @model_validator(mode="after")
    def _is_some(self) -> LocalText:
        if not (self.en.strip() or self.zh.strip()):
            raise ValueError("expected a text in `en`, in `zh`, or in both")
        return self

    def in_language(self, language: Language) -> str:
        """The text in a language, or in the other one where it has none."""
        first, second = (self.zh, self.en) if language is Language.CHINESE else (self.en, self.zh)
        return first if first.strip() else second

    def __str__(self) -> str:
        return self.en or self.zh
