"""Notes other than findings: the task restated, causes, reproductions, rules for others; and how they are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import re2

from data_gen.notes import Note
from data_gen.statements import Name, Quantity, StatementRole, Turn
from data_gen.tasks.software_repo.nouns import NameKind, find_names
from data_gen.texts.figures import find_figures
from data_gen.texts.orders import sentences

BECAUSE: Final = {
    "en": ("because of", "due to", "traced to", "owing to", "down to", "explained by"),
    "zh": ("原因是", "归因于", "缘于", "起因是", "根源是"),
}
NO_CAUSE: Final = {
    "en": ("no cause is on file", "the thread gives no cause", "no cause is recorded", "nobody names a cause"),
    "zh": ("未说明原因", "没有给出原因", "没有记录原因", "未提及原因"),
}
INDEPENDENT: Final = {
    "en": ("two separate machines", "two distinct machines", "two differing runners"),
    "zh": ("两台独立机器", "两台不同机器", "两处独立环境"),
}
SINGLE: Final = {
    "en": ("one unchanged machine", "one identical machine", "one recurring machine"),
    "zh": ("只有一台机器", "仅有一台机器", "只有一处环境"),
}
HARD: Final = {
    "en": ("must", "hard ceiling", "never above", "at most", "may not pass"),
    "zh": ("不得超过", "必须控制在", "硬性上限", "最多"),
}
ALONE: Final = {"en": ("no other", "that alone", "only that"), "zh": ("仅限", "只限", "只在")}
BEYOND: Final = {"en": ("any other", "more too", "all others"), "zh": ("不限于", "不只在", "不止于")}


@dataclass(frozen=True, slots=True)
class Cause:
    """Why something failed; `None` where nothing says so."""

    phrase: str | None


@dataclass(frozen=True, slots=True)
class Support:
    """Runs that reproduced an issue: independent of each other if their runners differ.

    Attributes:
        issue: The issue.
        runners: The machines, one for each run.
    """

    issue: str
    runners: tuple[str, str]

    @property
    def is_independent(self) -> bool:
        """Whether two machines showed it."""
        return self.runners[0] != self.runners[1]

    @property
    def label(self) -> str:
        """The label that the issue gets."""
        return "state/confirmed" if self.is_independent else "state/needs-repro"


@dataclass(frozen=True, slots=True)
class Cap:
    """A ceiling for what the ops agent may set."""

    service: str
    environment: str
    limit: int


@dataclass(frozen=True, slots=True)
class Clearance:
    """A request for access to several repositories, of which one is approved.

    Attributes:
        member: Who asks.
        level: What for.
        asked: The repositories asked for.
        approved: The one that is approved.
    """

    member: str
    level: str
    asked: tuple[str, ...]
    approved: str


def brief(subject: str, name: str, environment: str) -> Note:
    """The task in the agent's own words."""
    nouns = {"name": Name(name, "member")}
    if environment:
        nouns["env"] = Name(environment, NameKind.ENVIRONMENT)
    return Note("brief_env" if environment else "brief", nouns, words={"subject": subject}, kind=StatementRole.GOAL)


def cause_note(service: str, cause: Cause) -> Note:
    """A note on a cause, or that there is none."""
    words = {"service": service, "phrase": cause.phrase or ""}
    return Note("cause" if cause.phrase else "cause_none", words=words, claim="phrase", claim_symbol="cause")


def support_note(issue: str, *, independent: bool) -> Note:
    """A note on whether two machines showed an issue."""
    turns = {} if independent else {Turn.CORROBORATED: "support_yes"}
    return Note("support_yes" if independent else "support_no", words={"issue": issue}, turns=turns)


def cap_rule(cap: Cap) -> Note:
    """The ceiling, as it is handed to the ops agent."""
    return Note(
        "cap",
        {"service": Name(cap.service, NameKind.SERVICE)},
        {"limit": Quantity(float(cap.limit), "MB", step=16)},
        turns={Turn.DROPPED: "cap_dropped", Turn.WEAKENED: "cap_weak"},
        kind=StatementRole.RULE,
    )


def clearance_rule(clearance: Clearance) -> Note:
    """What is approved, as it is handed to the access agent."""
    return Note(
        "clear",
        {"service": Name(clearance.approved, NameKind.SERVICE)},
        words={"member": clearance.member},
        turns={Turn.WIDENED: "clear_all"},
        kind=StatementRole.RULE,
    )


@lru_cache(maxsize=8192)
def read_cause(text: str, language: str) -> Cause | None:
    """The cause that a text states, a statement that there is none, or `None` if it does not speak of causes."""
    for sentence in sentences(text):
        found = [(sentence.find(word), word) for word in BECAUSE[language] if word in sentence]
        if found:
            start, word = min(found)
            return Cause(sentence[start + len(word) :].strip(" ：:.。"))
        if has(sentence, NO_CAUSE[language]):
            return Cause(None)
    return None


def read_support(text: str, issue: str, language: str) -> bool | None:
    """Whether a text says that two machines showed an issue; `None` if it does not speak of it."""
    if issue not in text:
        return None
    if has(text, INDEPENDENT[language]):
        return True
    return False if has(text, SINGLE[language]) else None


def read_cap(text: str, service: str, language: str) -> float | None:
    """The ceiling in MB that a text sets for a service; `None` if it binds nobody."""
    for sentence in sentences(text):
        if service in find_names(sentence, NameKind.SERVICE, language) and has(sentence, HARD[language]):
            found = [figure.value for figure in find_figures(sentence) if figure.unit in ("MB", "GB")]
            if found:
                return found[0]
    return None


def read_clearance(text: str, member: str, language: str) -> Cleared | None:
    """What a text clears somebody for; `None` if it says nothing about that."""
    for sentence in sentences(text):
        if member not in sentence:
            continue
        if has(sentence, BEYOND[language]):
            return Cleared(everything=True)
        if has(sentence, ALONE[language]):
            return Cleared(find_names(sentence, NameKind.SERVICE, language))
    return None


@dataclass(frozen=True, slots=True)
class Cleared:
    """Repositories to which somebody may be let."""

    repositories: tuple[str, ...] = ()
    everything: bool = False

    def allows(self, repository: str) -> bool:
        """Whether a repository is among them."""
        return self.everything or repository in self.repositories


def has(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of several phrases occurs in a text, as a word of its own in English."""
    folded = text.lower()
    return any(
        bool(re2.search(rf"\b{re2.escape(word)}\b", folded)) if word.isascii() else word in folded for word in words
    )
