"""What plain-text rules forbid by name: commands, flags, paths and tables that may not occur in an action.

Many constraints of coding and operations agents name what is forbidden in so many words (`do not use --force`, `never
touch files under migrations/`). Such words are read off the text and looked for in the arguments of an action, so that
a list of rules is of use without a validator being written for each. What a rule forbids in general terms is not found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import re2

from mage_ml.errors import EvaluatorError
from mage_ml.runtime.evaluators.normalise import normalised
from mage_ml.runtime.evaluators.rules.constraint_words import Force, constraints_in
from mage_ml.runtime.evaluators.rules.order_verbs import action_kinds, kinds_named
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.drift.synonyms import root_of
from mage_ml.runtime.governor.flow import texts_in
from mage_ml.runtime.governor.validator_specs import OwnSpec
from mage_ml.runtime.governor.validators.base import KEPT, Verdict

_MAX_NAMES: Final = 24
_MIN_NAME: Final = 3
_FLAG = re2.compile(r"(?:^|[\s(`'\"])(--?[A-Za-z][A-Za-z0-9\-]+)")
_QUOTED = re2.compile("`([^`]{2,80})`|'([^']{2,80})'|\"([^\"]{2,80})\"|“([^”]{2,80})”|「([^」]{2,80})」")
_PATH = re2.compile(r"(?:^|[\s(])((?:~|\.{1,2})?/?[A-Za-z0-9_.\-]+/[A-Za-z0-9_./\-]*|[A-Za-z0-9_\-]+\.[a-z]{2,5})\b")
_USED = re2.compile(
    r"(?i)^\s*(?:ever )?(?:use|run|execute|call|invoke|使用|运行|执行|调用)\s*"
    r"([a-z][a-z0-9._\-]*(?: -[A-Za-z]+)*)\s*(?:$|,|;|\bor\b|\band\b|\bto\b|\bas\b|\bcommands?\b|或|和|来|命令)"
)
_PLAIN: Final = frozenset(
    {"any", "the", "a", "an", "this", "that", "these", "those", "all", "it", "them", "destructive"}
)
_READS: Final = frozenset({"read", "search"})
_READING = re2.compile(r"(?i)^(?:open|read|view|search|list|get|find|show)")
_TEXT_KEY = re2.compile(r"(?i)content|text|body|^new|^old|message|diff|patch|内容|正文")
_SHELL = re2.compile(r"&&|\|\||[;\n]")
_SHOWS = re2.compile(
    r"^\s*(?:echo|printf|grep|rg|cat|ls|head|tail|less|find|git (?:diff|log|show|status|commit|grep))\b"
)
_TOUCHES = re2.compile(
    r"(?i)^\s*(?:ever )?(?:modify|edit|change|touch|update|alter|delete|remove|overwrite|修改|更改|编辑|删除|改动)\s+"
    r"(?:any |the )?([a-z]+)(?: [a-z]+)? (?:files?|code|configs?|config files?|snapshots?|data)\b"
)
_PATH_KEY = re2.compile(r"(?i)path|file|target|dest|dir|文件|路径")
_WORD = re2.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Prohibition:
    """What one rule forbids by name.

    Attributes:
        rule: The rule's sentence.
        names: Words that may not occur, in lower case.
        places: Kinds of files that may not be edited, as word roots that their paths hold (`test`, `production`).
    """

    rule: str
    names: tuple[str, ...]
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that an action breaks.

    Attributes:
        rule: The rule's sentence.
        found: The forbidden word, or the path.
    """

    rule: str
    found: str


@lru_cache(maxsize=1024)
def prohibitions_in(text: str) -> tuple[Prohibition, ...]:
    """What the rules in a text forbid by name; rules that hold under a condition are left out."""
    found = []
    for rule in constraints_in(text):
        if rule.force is not Force.NEVER:
            continue
        reach = rule.reach
        names = [next(group for group in match.groups() if group) for match in _QUOTED.finditer(reach)]
        names += [match.group(1) for pattern in (_FLAG, _PATH) for match in pattern.finditer(reach)]
        used = _USED.search(reach)
        if used and used.group(1).split(" ")[0] not in _PLAIN:
            names.append(used.group(1))
        touched = _TOUCHES.search(reach)
        places = (root_of(touched.group(1).lower()),) if touched and touched.group(1).lower() not in _PLAIN else ()
        kept = tuple(dict.fromkeys(name.strip().lower() for name in names if len(name.strip()) >= _MIN_NAME))
        if kept or (places and not rule.conditional):
            found.append(Prohibition(rule.text, kept[:_MAX_NAMES], places))
    return tuple(found)


def broken_by(rules: Iterable[str], tool_name: str, arguments: Mapping[str, Any]) -> tuple[Breach, ...]:
    """The rules that an action breaks by name.

    Args:
        rules: Texts with rules, in English or Chinese.
        tool_name: The tool that is about to be called.
        arguments: Its arguments.

    Raises:
        EvaluatorError: The arguments hold more than 2,000 values.
    """
    action = _read(tool_name, arguments)
    found = []
    for text in rules:
        for rule in prohibitions_in(text):
            word = _name_in(rule, action)
            if word:
                found.append(Breach(rule.rule, word))
    return tuple(found)


def check_prohibitions(question: Question, spec: OwnSpec) -> Verdict:
    """A validator of kind `own`: the constraint's own text says what may not occur in the arguments of a tool call.

    Register it as `Resources(own={"prohibitions": check_prohibitions})`; `options: {tool: ...}` or the fact `tool` may
    name the tool.

    Raises:
        EvaluatorError: The constraint's text forbids nothing by name, or the arguments are too many.
    """
    context = question.utterance.context
    text = question.constraint.text
    rules = [rule for rule in (text.en, text.zh) if rule.strip()]
    if not any(prohibitions_in(rule) for rule in rules):
        raise EvaluatorError(
            f"constraint {question.constraint.id!r} forbids nothing by name; quote what is forbidden in its text"
        )
    tool = str(context.facts.get("tool", spec.options.get("tool", "")))
    found = broken_by(rules, tool, context.arguments)
    if not found:
        return KEPT
    return Verdict(violated=True, offending=found[0].found, found_by="prohibitions")


@dataclass(frozen=True, slots=True)
class _Action:
    """What an action runs, and the paths it writes to. What it writes into a file is no deed by itself."""

    commands: tuple[str, ...]
    paths: tuple[str, ...]


def _read(tool_name: str, arguments: Mapping[str, Any]) -> _Action:
    reads = bool(action_kinds(tool_name) & _READS) or bool(_READING.search(tool_name))
    commands: list[str] = []
    paths: list[str] = []
    for key, value in arguments.items():
        said = [normalised(text).lower() for text in texts_in({"": value}) if text]
        if _PATH_KEY.search(key):
            paths += [] if reads else said
        elif not _TEXT_KEY.search(key):
            commands += [part for text in said for part in _parts(text)]
    return _Action(tuple(commands), tuple(paths))


def _parts(command: str) -> list[str]:
    """The single commands of a shell line, without those that only print or search."""
    return [part for part in _SHELL.split(command) if part and not _SHOWS.search(part)]


def _name_in(rule: Prohibition, action: _Action) -> str:
    for name in rule.names:
        if any(_occurs(name, said, rule.rule) for said in (*action.commands, *action.paths)):
            return name
    for path in action.paths:
        words = {root_of(word) for word in _WORD.findall(path)}
        if not words.isdisjoint(rule.places):
            return path
    return ""


def _occurs(name: str, text: str, rule: str) -> bool:
    """Whether a name stands in a text for itself; a plain word only beside what the rule forbids to be done with it."""
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (_is_word(before) or (_is_word(after) and not name.endswith("/"))):
            plain = name.isalpha()
            return not plain or bool(kinds_named(rule) & kinds_named(" ".join(_WORD.findall(text)))) or " use " in rule
        at = text.find(name, at + 1)
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character in ("-", "_") if character else False
