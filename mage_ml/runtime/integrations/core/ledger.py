"""Which message is which entry: a message seen twice is one entry, and one that was changed is a new one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from mage_ml.memory import ActionType, MemoryEntry, PendingAction, Role, Source
from mage_ml.memory.dependencies import DependencyInference, ValueCache
from mage_ml.memory.origins import origin_of_result
from mage_ml.runtime.integrations.core.messages import SOURCES, Message, Speaker, ToolRequest
from mage_ml.runtime.integrations.core.wording import is_hidden_text

_ID_HEX = 8
_MAX_READ = 6
_MAX_SAID = 4
_KINDS = {Speaker.ASSISTANT: "note", Speaker.RETRIEVED: "found"}


class Ledger:
    """The entries of one conversation by the keys of their messages. Not thread-safe: the session holds its lock.

    Args:
        store: Takes a new entry in; what it raises leaves the ledger as it was.
        usable: Whether an entry, by its id, may still be drawn on.
        retrieval_tools: Tools whose results are documents and not records; * and ? are wildcards.
    """

    def __init__(
        self,
        store: Callable[[MemoryEntry], None],
        usable: Callable[[str], bool],
        retrieval_tools: Sequence[str] = (),
    ) -> None:
        self._store = store
        self._usable = usable
        self._read: list[str] = []
        self._said: list[str] = []
        self._retrieval_tools = tuple(pattern.lower() for pattern in retrieval_tools)
        self._inference = DependencyInference(ValueCache(), usable)
        self._entry_of: dict[str, str] = {}
        self._known: dict[str, set[str]] = {}
        self._placed: dict[tuple[str, str], str] = {}
        self._key_of: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._is_data: dict[str, bool] = {}

    @property
    def size(self) -> int:
        """How many entries there are."""
        return len(self._key_of)

    def adopt(self, entries: Iterable[MemoryEntry]) -> None:
        """Take over entries that were in a store before the session began; their messages may still come."""
        for entry in entries:
            self._note(entry, "")

    def entry_of(self, key: str) -> str | None:
        """Id of the entry that a message is, as it was last seen."""
        return self._entry_of.get(key)

    def key_of(self, entry_id: str) -> str | None:
        """Key of the message that an entry is."""
        return self._key_of.get(entry_id) or None

    def expect(self, key: str, text: str, quotes: str = "") -> None:
        """A message will come back with this text because the guard put it there; that is not news."""
        self._placed[(key, _digest(text))] = quotes

    def placed_over(self, key: str, text: str) -> str | None:
        """Id of the entry that a text of the guard quotes, empty for none; `None` when the text is not the guard's."""
        quoted = self._placed.get((key, _digest(text)))
        return None if quoted is None else self._entry_of.get(quoted, "")

    def take(self, message: Message) -> MemoryEntry | None:
        """Store a message as an entry; `None` when it is known, blank, or only stands for an entry taken out.

        Raises:
            ValueError: It does not make a valid entry (`pydantic.ValidationError`, too).
            RecordError: The store refused it.
        """
        digest = _digest(message.text)
        known = self._known.get(message.key, set())
        if digest in known or (message.key, digest) in self._placed:
            return None
        if not message.text.strip() or is_hidden_text(message.text):
            return None
        key = message.key if not known else f"{message.key}#{digest}"
        entry = self._entry(message, self._name(message.speaker, key))
        if self._texts.get(entry.id, _digest(entry.text)) != _digest(entry.text):  # a short name that is taken
            entry = self._entry(message, self._name(message.speaker, key, hex_digits=64))
        if entry.id not in self._key_of:
            self._store(entry)
            self._note(entry, message.key)
        self._entry_of[message.key] = entry.id
        self._key_of[entry.id] = message.key
        self._known.setdefault(message.key, set()).add(digest)
        return entry

    def parents_of_text(self, text: str) -> tuple[str, ...]:
        """What a text of the agent rests on: the user's request, and the entries that hold its values.

        A text with no value that memory holds is a conclusion: it rests on what the agent has just read, and when that
        is nothing, on what it said last.
        """
        found = self._inference.parents_of_text(text)
        if any(self._is_data.get(name) for name in found):
            return found
        latest = [name for name in self._read if self._usable(name)]
        return (*found, *(latest or [name for name in self._said if self._usable(name)]))

    def parents_of_call(self, call: ToolRequest, text: str) -> tuple[str, ...]:
        """What a call rests on: what it names, otherwise what is inferred; and the text of the message that asks."""
        stated = tuple(self._ids(call.depends_on)) or self.parents_of_text(text)
        return tuple(dict.fromkeys((*stated, *self._ids((call.message_key,)))))

    def parents_of_answer(self, keys: Iterable[str], text: str) -> tuple[str, ...]:
        """What an answer rests on: what is named, otherwise what is inferred."""
        return tuple(dict.fromkeys(self._ids(keys))) or self.parents_of_text(text)

    def parents_of_message(self, message: Message) -> tuple[str, ...]:
        """What a message of an agent rests on: what it names, otherwise what is inferred."""
        return tuple(self._ids(message.depends_on)) or self.parents_of_text(message.text)

    def _ids(self, keys: Iterable[str]) -> Iterator[str]:
        return (self._entry_of[key] for key in keys if key in self._entry_of)

    def _note(self, entry: MemoryEntry, key: str) -> None:
        self._key_of[entry.id] = key
        self._texts[entry.id] = _digest(entry.text)
        self._inference.note(entry)
        self._is_data[entry.id] = entry.role is Role.DATA
        if entry.source in (Source.TOOL, Source.RETRIEVED):
            self._read.append(entry.id)
            del self._read[:-_MAX_READ]
        elif entry.source in (Source.LLM_REASONING, Source.AGENT):
            self._read.clear()
            self._said.append(entry.id)
            del self._said[:-_MAX_SAID]

    def _name(self, speaker: Speaker, key: str, *, hex_digits: int = _ID_HEX) -> str:
        """The same message has the same name in every process, so that a stored memory can be taken up again."""
        return f"{_KINDS.get(speaker, speaker.value)}-{hashlib.sha256(key.encode()).hexdigest()[:hex_digits]}"

    def _entry(self, message: Message, name: str) -> MemoryEntry:
        call, source = message.call, SOURCES[message.speaker]
        fields: dict[str, object] = {"origin": message.origin or message.speaker.value}
        if message.speaker is Speaker.TOOL and call is not None:
            asked = PendingAction(type=ActionType.READ, tool_name=call.name, arguments=dict(call.arguments)).text
            source = Source.RETRIEVED if self._is_retrieval(call.name) else Source.TOOL
            fields = {"tool_name": call.name, "origin": message.origin or origin_of_result(call.name, call.arguments)}
            parents = self._inference.parents_of_result(asked)
        elif message.speaker in (Speaker.ASSISTANT, Speaker.AGENT):
            fields = {"origin": message.origin}
            parents = self.parents_of_message(message)
        else:
            parents = ()
        if message.depends_on:
            parents = tuple(dict.fromkeys(self._ids(message.depends_on)))
        entry = MemoryEntry.model_validate(
            {
                "id": name,
                "content": message.text,
                "source": source,
                "agent_id": message.agent_id,
                "step": self.size,
                "depends_on": tuple(parent for parent in parents if parent != name),
                **fields,
            }
        )
        return _structured(entry) if source in (Source.TOOL, Source.RETRIEVED) else entry

    def _is_retrieval(self, tool_name: str) -> bool:
        return any(fnmatchcase(tool_name.lower(), pattern) for pattern in self._retrieval_tools)


def _structured(entry: MemoryEntry) -> MemoryEntry:
    """A record that its tool wrote as JSON text is read as JSON: figures stand beside their names, however written."""
    text = str(entry.content).strip()
    if text[:1] not in ("{", "["):
        return entry
    try:
        return entry.revised(content=json.loads(text))
    except (ValueError, RecursionError):
        return entry


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]
