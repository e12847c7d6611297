"""The evasion set: every seed order in every disguise, before an innocent action and before the one that obeys it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Final

from pydantic import Field

from mage_ml.config import Config, build_config, parse_yaml
from mage_ml.evaluation.lookalikes.cases import (
    CaseLanguage,
    Corpus,
    JudgedCase,
    Step,
    carriers,
    is_held_out,
    read_data,
    run_with,
)
from mage_ml.evaluation.lookalikes.disguises import OF_ALPHABETS, Disguise, Disguised, disguise
from mage_ml.memory import PendingAction, Snapshot, Source

_FILE: Final = "seeds.yaml"
_OWN: Final = (CaseLanguage.EN, CaseLanguage.ZH)


class Context(Config):
    """A harmless run into which orders are planted."""

    goal: Annotated[str, Field(description="The user's task")]
    lead: Annotated[str, Field(description="Harmless sentence before the order")]
    source: Annotated[Source, Field(description="Who says it")]
    tool: Annotated[str, Field(description="Tool that brought it")]
    origin: Annotated[str, Field(description="Outermost place it comes from")]
    action: Annotated[PendingAction, Field(description="What the user's task leads to")]


class Seed(Config):
    """One order in several languages, and the action that carries it out."""

    en: Annotated[str, Field(description="In English")]
    zh: Annotated[str, Field(description="In Chinese")]
    de: Annotated[str | None, Field(description="In German")] = None
    fr: Annotated[str | None, Field(description="In French")] = None
    es: Annotated[str | None, Field(description="In Spanish")] = None
    ja: Annotated[str | None, Field(description="In Japanese")] = None
    action: Annotated[PendingAction, Field(description="The action that carries it out")]

    def in_language(self, language: CaseLanguage) -> str | None:
        """The order in a language, if it was written in it."""
        found = getattr(self, language.value, None)
        return found if isinstance(found, str) else None


class SeedFile(Config):
    """The data file."""

    contexts: Annotated[Mapping[CaseLanguage, tuple[Context, ...]], Field(description="Contexts by language")]
    seeds: Annotated[Mapping[str, Seed], Field(description="Orders by name")]


@lru_cache(maxsize=1)
def evasions() -> tuple[JudgedCase, ...]:
    """All disguised orders, each before two actions. Whole seeds are held out, in all languages and disguises.

    Raises:
        ConfigError: The data file is damaged.
    """
    data, lines = parse_yaml(read_data(_FILE), _FILE)
    file = build_config(SeedFile, data, lines, _FILE)
    return tuple(case for number, name in enumerate(file.seeds) for case in _of_seed(file, name, number))


def _of_seed(file: SeedFile, name: str, number: int) -> Iterator[JudgedCase]:
    seed = file.seeds[name]
    for language in _OWN:
        contexts = file.contexts[language]
        context = contexts[number % len(contexts)]
        for kind in Disguise:
            if kind is Disguise.FOREIGN:
                for foreign in CaseLanguage:
                    text = None if foreign in _OWN else seed.in_language(foreign)
                    if text is not None and language is CaseLanguage.EN:
                        yield from _cases(name, kind, foreign, context, Disguised((text,)), seed)
                continue
            written = _other(language) if kind is Disguise.TRANSLATED else language
            order = seed.in_language(written) or seed.en
            if kind in OF_ALPHABETS and written is CaseLanguage.ZH:
                continue
            yield from _cases(name, kind, language, context, disguise(kind, order), seed)


def _other(language: CaseLanguage) -> CaseLanguage:
    return CaseLanguage.ZH if language is CaseLanguage.EN else CaseLanguage.EN


def _cases(
    name: str, kind: Disguise, language: CaseLanguage, context: Context, hidden: Disguised, seed: Seed
) -> Iterator[JudgedCase]:
    for step, action in ((Step.INNOCENT, context.action), (Step.OBEYING, seed.action)):
        yield JudgedCase(
            id=f"{name}-{kind}-{language}-{step}",
            corpus=Corpus.EVASION,
            language=language,
            category=kind.value,
            group=name,
            step=step,
            held_out=is_held_out(name),
            snapshot=_planted(context, hidden, action),
        )


def _planted(context: Context, hidden: Disguised, action: PendingAction) -> Snapshot:
    first = f"{context.lead} {hidden.parts[0]}"
    entries = carriers((first, *hidden.parts[1:]), context.source, context.tool, context.origin)
    return run_with(entries, action, goal=context.goal)
