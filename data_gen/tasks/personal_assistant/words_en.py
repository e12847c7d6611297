"""How an English assistant notes, concludes and writes, by register."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

SURE: Final = (
    ("perhaps", "exactly"), ("roughly", "exactly"), ("supposedly", "definitely"), ("possibly", "actually"),
    ("at a guess", "as written"),
)  # fmt: skip
COMMON: Final = {
    "since": ("because of", "due to", "owing to", "on account of", "down to", "thanks to"),
    "told": ("noted", "kept", "stored", "on file", "for later", "in mind", "put down", "written down"),
    "still": ("this time", "for now", "as of today", "at present", "by the way"),
    "plan": (
        "Plan: check what I hold, then act", "First the facts, then the action", "Recall, decide, act, report",
        "Look things up, keep them, use them when asked", "Gather first; act after that",
    ),
    "skim": (
        "Read the messages; the rest is for others", "Messages seen", "Went through what people wrote",
        "Household messages read", "Nothing else in the messages for now",
    ),
    "skip_mail": ("The message stays unsent", "No message goes out", "Leaving the message out", "I hold the message"),
    "no_action": (
        "Nothing to do here after all", "So I leave it at that", "No action follows", "That settles it: no action",
    ),
    "acted": (
        "This has been arranged today", "It is arranged", "All of it has been taken care of", "I have seen to it",
        "The matter is settled on our side",
    ),
    "mismatch_note": (
        "The brief differs from what was asked, {name} is right", "Asked for was {name}, not what the brief says",
    ),
    "subject": ("About {topic}", "{topic}: done", "News on {topic}", "As asked: {topic}", "{topic}, in short"),
    "greeting": ("Dear {name},", "Hello {name},", "Hi {name},", "{name},", "Good day {name},"),
    "intro": (
        "this is how things stand:", "a short word on what was arranged:", "here is what I was asked to pass on:",
        "as asked, the details:", "these are the facts:",
    ),
    "closing": ("Best wishes", "Kind regards", "Many thanks", "See you soon", "All the best"),
    "final": ("Done; told {recipients}", "All set, message to {recipients}", "Finished, {recipients} informed"),
    "final_none": ("Done, as asked", "All set", "Finished; no message sent", "That is taken care of"),
}  # fmt: skip
_SOURCES: Final = {
    "one_source": (
        "<l>{topic} has one source only<t>", "<l>one source for {topic}<t>", "<l>{topic} rests on one entry<t>",
        "<l>{topic}, seen in one place only<t>",
    ),
    "two_sources": (
        "<l>{topic} has two of them now<t>", "<l>two records of {topic}<t>", "<l>{topic} rests on two books<t>",
        "<l>{topic}, seen in both the books<t>",
    ),
}  # fmt: skip


def _sources(end: str) -> dict[str, tuple[str, ...]]:
    return {symbol: tuple(form + end for form in forms) for symbol, forms in _SOURCES.items()}


def _reasons(lead: str, end: str) -> dict[str, tuple[str, ...]]:
    changed = ("{topic} changed", "{topic} moved", "{topic} is new", "new terms, {topic},", "a change in {topic}")
    none = (
        "{topic} moved and nobody says why in any of the messages",
        "no reason given for {topic} in what people wrote",
        "{topic} changed for reasons that no message mentions",
        "no word on why {topic} changed in the messages",
        "why {topic} is new is not said in any message I have read",
    )
    return {
        "reason": tuple(f"{lead}{form} <since> {{phrase}}{end}" for form in changed),
        "no_reason": tuple(f"{lead}{form}{end}" for form in none),
    }


REGISTER_FRAMES: Final[MappingProxyType[str, dict[str, Any]]] = MappingProxyType(
    {
        "terse": {
            "value": (
                "<l>{topic}: {value}<t>", "<l>{topic} = {value}<t>", "<l>{value} for {topic}<t>",
                "<l>{topic} is {value}<t>", "<l>{topic} -> {value}<t>",
            ),
            "figure": ("<l>{topic} at {value}<t>", "<l>{topic} comes to {value}<t>", "<l>{value} as {topic}<t>"),
            "flag": ("<l>{topic}: W<t>", "<l>{topic} = W<t>", "<l>{topic} is W<t>", "<l>{topic} W<t>"),
            "doubt": (
                "<l>{topic}: {value}, W", "<l>{topic} = {value}, W", "<l>{value} for {topic}, W",
                "W, {value} for {topic}<t>", "<l>{topic} is W {value}<t>",
            ),
            "change": ("<l>{topic} now {value}<t>", "<l>{value} now for {topic}<t>", "<l>new: {topic} {value}<t>"),
            "rules": {
                "l": ("", "", "", "note ", "keep ", "memo ", "fact "),
                "t": ("", "", "", ", <told>", " (<told>)", "; <told>", ", <still>", " <still>"),
                **_sources(""),
                **_reasons("", ""),
            },
        },
        "formal": {
            "value": (
                "<l>{topic} is {value}<t>.", "<l>{topic} is given as {value}<t>.",
                "<l>{topic} is put down as {value}<t>.",
                "<l>{topic} reads {value}<t>.", "<l>for {topic}, the entry is {value}<t>.",
                "<l>{value} is on file for {topic}<t>.",
            ),
            "figure": ("<l>{topic} amounts to {value}<t>.", "<l>{topic} stands at {value}<t>."),
            "flag": (
                "<l>{topic} is W<t>.", "<l>{topic} is given as W<t>.", "<l>{topic} is put down as W<t>.",
                "<l>for {topic}, the entry is W<t>.", "<l>{topic} appears as W<t>.",
            ),
            "doubt": (
                "<l>{topic} is W {value}<t>.", "<l>{topic} is given as {value}, W.", "<l>{topic} stands at {value}, W.",
                "<l>for {topic}, the entry is {value}, W.", "<l>{topic} is {value}, W.",
            ),
            "change": (
                "<l>{topic} is now {value}<t>.", "<l>{topic} has changed to {value}<t>.",
                "<l>{topic} has become {value}<t>.",
            ),
            "rules": {
                "l": ("", "", "", "", "According to the record, ", "As stated, ", "To my knowledge, ",
                    "For the record, "),
                "t": ("", "", "", "", ", as <told>", ", <still>", " <still>"),
                **_sources("."),
                **_reasons("", "."),
            },
        },
        "chatty": {
            "value": (
                "<l>{topic} is {value}<t>", "<l>{topic}? {value}<t>", "<l>{topic} would be {value}<t>",
                "<l>{value} it is for {topic}<t>", "<l>{topic} turns out to be {value}<t>",
            ),
            "figure": ("<l>{topic} runs to {value}<t>", "<l>{topic} comes to {value}<t>"),
            "flag": (
                "<l>{topic} is W<t>", "<l>{topic}? W<t>", "<l>{topic} turns out W<t>", "<l>{topic} is W, I hear<t>",
            ),
            "doubt": (
                "<l>{topic} is W {value}<t>", "<l>{topic} would be {value}, W", "<l>{topic} comes to {value}, W",
                "<l>{topic}? {value}, W", "<l>{topic} is {value}, W",
            ),
            "change": ("<l>{topic} is {value} now<t>", "<l>{topic} went to {value}<t>",
                "<l>{topic} changed to {value}<t>"),
            "rules": {
                "l": ("", "", "", "ok, ", "right, ", "so ", "well, ", "good: "),
                "t": ("", "", "", ", <told>", ", <still>", " <still>", ", that is <told>"),
                **_sources(""),
                **_reasons("so ", ""),
            },
        },
        "bullet": {
            "value": (
                "- <l>{topic}: {value}<t>", "- <l>{topic} is {value}<t>", "- <l>{value} for {topic}<t>",
                "* <l>{topic}: {value}<t>", "* <l>{topic} is {value}<t>", "- <l>{topic} - {value}<t>",
            ),
            "figure": ("- <l>{topic} at {value}<t>", "* <l>{topic} comes to {value}<t>"),
            "flag": ("- <l>{topic}: W<t>", "- <l>{topic} is W<t>", "* <l>{topic}: W<t>", "* <l>{topic} is W<t>"),
            "doubt": (
                "- <l>{topic}: {value}, W", "* <l>{topic}: {value}, W", "- <l>{topic} is W {value}<t>",
                "* <l>{topic} is {value}, W", "- <l>{value} for {topic}, W",
            ),
            "change": ("- <l>{topic} now: {value}<t>", "- <l>{topic} is now {value}<t>",
                "* <l>{topic} now: {value}<t>"),
            "rules": {
                "l": ("", "", "", "note: ", "fact: ", "kept: "),
                "t": ("", "", "", ", <told>", " (<told>)", ", <still>"),
                **_sources(""),
                **_reasons("- ", ""),
            },
        },
        "table": {
            "value": (
                "{topic} | {value}<t>", "{topic} | {value} | <told>", "{topic} | <still> | {value}",
                "<told> | {topic} | {value}", "{value} | {topic}<t>",
            ),
            "figure": ("{topic} | is {value}<t>", "{topic} | total {value}<t>"),
            "flag": ("{topic} | W<t>", "{topic} | W | <told>", "<told> | {topic} | W", "{topic} | <still> | W"),
            "doubt": (
                "{topic} | {value} | W", "{topic} | W | {value}", "{topic} | {value} (W)", "{value} | {topic} | W",
                "W | {topic} | {value}",
            ),
            "change": ("{topic} | now {value}<t>", "{topic} | {value} | new", "{topic} | new | {value}"),
            "rules": {
                "l": ("", "note | "),
                "t": ("", "", " | <told>", " | <still>"),
                **_sources(""),
                **_reasons("", ""),
            },
        },
    }
)  # fmt: skip
