"""What is judged here: short runs with one suspicious-looking text in them, and how they are read from data files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from typing import Annotated, Final, Self

from pydantic import Field, JsonValue, model_validator

from mage_ml.config import Config, build_config, nearest, parse_yaml
from mage_ml.memory import MemoryEntry, PendingAction, Snapshot, Source

DATA_PACKAGE: Final = "mage_ml.evaluation.lookalikes.data"
TEXT_ID: Final = "text"
"""Id of the entry that holds the text in question; its parts are `text-2`, `text-3`."""
_HELD_OUT_SHARE: Final = 3
_FILES: Final = ("lookalikes_en.yaml", "lookalikes_zh.yaml")


class Corpus(StrEnum):
    """The sets that alarms are measured on."""

    LOOKALIKES = "lookalikes"
    NOTINJECT = "notinject"
    EVASION = "evasion"


class Category(StrEnum):
    """Why a harmless text looks like an attack."""

    QUOTED_ATTACK = "quoted_attack"
    EDUCATIONAL = "educational"
    CODE_AND_LOGS = "code_and_logs"
    CORRECTION = "correction"
    ADDRESSED_TO_OTHERS = "addressed_to_others"
    POLICY_MANUAL = "policy_manual"
    CUSTOMER_PHRASE = "customer_phrase"
    GREETING = "greeting"
    AUTHORISED_UNUSUAL = "authorised_unusual"
    WAITING = "waiting"
    ROLE_WORDS = "role_words"
    MARKUP = "markup"


class CaseLanguage(StrEnum):
    """Language of a text."""

    EN = "en"
    ZH = "zh"
    DE = "de"
    FR = "fr"
    ES = "es"
    JA = "ja"
    OTHER = "other"


class Step(StrEnum):
    """What the agent is about to do after it has read the text."""

    INNOCENT = "innocent"
    """What the user asked for."""
    OBEYING = "obeying"
    """What the text asks for."""


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """One run with one text, at the moment before an action.

    Attributes:
        id: Unique within its corpus.
        corpus: The set it belongs to.
        language: Language of the text.
        category: A `Category`, the source's own category, or a disguise.
        group: What it was made from; cases of one group are no independent evidence.
        step: What the agent is about to do.
        held_out: Whether it was kept away from those who tune rules.
        snapshot: Memory and action.
    """

    id: str
    corpus: Corpus
    language: CaseLanguage
    category: str
    group: str
    step: Step
    held_out: bool
    snapshot: Snapshot


class Scene(Config):
    """What the user wants, where the text comes from, and what the agent does next."""

    goal: Annotated[str, Field(description="The user's task; empty where the text itself is what the user says")]
    action: Annotated[PendingAction, Field(description="What the agent is about to do")]
    tool: Annotated[str | None, Field(description="Tool that brought the text")] = None
    origin: Annotated[str | None, Field(description="Outermost place the text comes from")] = None


class LookAlikeText(Config):
    """One text with what differs from its scene."""

    text: Annotated[JsonValue, Field(description="The text; for a user's words, the goal is it")] = None
    goal: Annotated[str | None, Field(description="Instead of the scene's goal")] = None
    action: Annotated[PendingAction | None, Field(description="Instead of the scene's action")] = None
    before: Annotated[tuple[str, ...], Field(description="Earlier results of the same tool")] = ()


class Block(Config):
    """Texts that share category, scene and source."""

    category: Annotated[Category, Field(description="Why the texts look like attacks")]
    scene: Annotated[str | None, Field(description="Name of a scene; without it each text brings its own")] = None
    source: Annotated[Source, Field(description="Who says the texts")]
    texts: Annotated[Mapping[str, str | LookAlikeText], Field(description="Texts by id")]


class LookAlikeFile(Config):
    """One data file."""

    language: Annotated[CaseLanguage, Field(description="Language of all texts")]
    scenes: Annotated[Mapping[str, Scene], Field(description="Scenes by name")]
    blocks: Annotated[tuple[Block, ...], Field(description="Texts in blocks")]

    @model_validator(mode="after")
    def _scenes_exist(self) -> Self:
        for block in self.blocks:
            if block.scene is not None and block.scene not in self.scenes:
                raise ValueError(f"unknown scene {block.scene!r}; {nearest(block.scene, list(self.scenes))}")
            for name, text in block.texts.items():
                if block.scene is None and (isinstance(text, str) or text.action is None or text.goal is None):
                    raise ValueError(f"text {name!r} has no scene, so it needs a goal and an action of its own")
        return self


def read_data(name: str) -> str:
    """The text of a data file of this package."""
    return resources.files(DATA_PACKAGE).joinpath(name).read_text(encoding="utf-8")


def is_held_out(group: str) -> bool:
    """Whether a group belongs to the third that nobody tunes on; a fixed property of its name."""
    return hashlib.sha256(group.encode()).digest()[0] % _HELD_OUT_SHARE == 0


@lru_cache(maxsize=1)
def lookalikes() -> tuple[JudgedCase, ...]:
    """The harmless look-alikes in the order of their files.

    Raises:
        ConfigError: A data file is damaged.
    """
    return tuple(case for name in _FILES for case in _read(name))


def _read(name: str) -> Iterator[JudgedCase]:
    data, lines = parse_yaml(read_data(name), name)
    file = build_config(LookAlikeFile, data, lines, name)
    for block in file.blocks:
        scene = None if block.scene is None else file.scenes[block.scene]
        for key, given in block.texts.items():
            text = LookAlikeText(text=given) if isinstance(given, str) else given
            case_id = f"{file.language}-{key}"
            yield JudgedCase(
                id=case_id,
                corpus=Corpus.LOOKALIKES,
                language=file.language,
                category=block.category.value,
                group=case_id,
                step=Step.INNOCENT,
                held_out=is_held_out(case_id),
                snapshot=_snapshot(block.source, scene, text),
            )


def _snapshot(source: Source, scene: Scene | None, text: LookAlikeText) -> Snapshot:
    goal = text.goal if text.goal is not None else scene.goal if scene else ""
    action = text.action or (scene.action if scene else None)
    if action is None:
        raise AssertionError("checked when the file was read")
    if source is Source.USER:
        said = goal or text.text
        return run_with([], action, goal=said if isinstance(said, str) else "")
    tool, origin = (scene.tool, scene.origin) if scene else (None, None)
    contents = (*text.before, text.text)
    return run_with(carriers(contents, source, tool, origin), action, goal=goal)


def carriers(
    contents: tuple[JsonValue, ...], source: Source, tool: str | None, origin: str | None
) -> list[MemoryEntry]:
    """Entries of one origin that hold texts, in order; the last one is the text in question."""
    last = len(contents) - 1
    return [
        MemoryEntry(
            id=TEXT_ID if number == last else f"{TEXT_ID}-{last - number + 1}",
            content=content,
            source=source,
            tool_name=tool if source in (Source.TOOL, Source.RETRIEVED) else None,
            origin=origin,
            agent_id="agent" if source is not Source.AGENT else "researcher",
            step=number + 1,
        )
        for number, content in enumerate(contents)
    ]


def run_with(entries: list[MemoryEntry], action: PendingAction, *, goal: str) -> Snapshot:
    """A run in which the user states a goal, the agent reads some entries, and is about to act on them."""
    request = [MemoryEntry(id="request", content=goal, source=Source.USER, origin="user")] if goal else []
    rests_on = tuple(entry.id for entry in (*request, *entries))
    return Snapshot.of([*request, *entries], action.model_copy(update={"depends_on": rests_on}), goal=goal)
