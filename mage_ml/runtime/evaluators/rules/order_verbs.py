"""What a sentence asks for, and what a tool does, by their verbs."""

from __future__ import annotations

from typing import Any, Final

import re2

from mage_ml.runtime.evaluators.rules import order_words as words


def _any(table: dict[str, str]) -> str:
    return "|".join(table.values())


def _kinds(table: dict[str, str]) -> dict[str, str]:
    return {word: kind for kind, group in table.items() for word in group.split("|")}


VERB_KIND: Final = _kinds(words.VERBS_EN)
_ZH_KIND: Final = tuple((kind, re2.compile(group)) for kind, group in words.VERBS_ZH.items())
_OBJECT = (
    r"(?:the|an?|this|that|these|those|all|any|every|each|your|our|my|his|her|their|its|it|them|me|us|him|one|both|no"
    r"|only|also|to|up|out|everything|another|two|three|following|[\w.+\-]+@|https?:|www\.|[$€£¥]\d|['\"`/])"
)
_STARTS_EN = re2.compile(
    rf"(?i)^\W*(?:(?:{words.LEADS_EN})[,:\s]+){{0,4}}(?:do not |don't |never )?({_any(words.VERBS_EN)})\s+{_OBJECT}"
)
_INTRODUCED = re2.compile(
    r"(?i)^\W*(?:when|whenever|before|after|if|once|while|as|for|to|in|on|at|from|this|until|since|with|by|instead)\b"
)
_AMOUNT_EN = re2.compile(
    rf"(?i)^\W*(?:(?:{words.LEADS_EN})[,:\s]+){{0,4}}(pay|transfer|wire|refund|remit|send|buy"
    rf"|purchase)\s+(?:\d|[A-Z]{{3}}\s?\d)"
)
_MODAL_EN = re2.compile(
    rf"(?i)\b(?:{words.MODALS_EN})[,:]?\s+(?:[\w'\-]+,?\s+){{0,3}}?(?:do not |don't |not "
    rf"|never )?({_any(words.VERBS_EN)})\b"
)
_PASSIVE_EN = re2.compile(
    rf"(?i)\b(?:must|should|shall|needs? to|ha(?:s|ve) to|(?:is"
    rf"|are) to)\s+(?:\w+\s+){{0,2}}?be\s+(?:\w+\s+)?({_any(words.PARTICIPLES)})\b"
)
_STANDING_EN = re2.compile(
    r"(?i)\b(?:goes?|is now|has (?:been )?changed to|changed to|is (?:the )?new|use|now)\s+(?:also\s+"
    r"|out\s+)?(?:to\s+|at\s+|:\s*)?"
    r"(?:[\w.+\-]+@[\w.\-]+|https?://\S+|www\.\S+|[A-Z]{2}\d{2}[A-Z0-9]{6,})"
)
_STARTS_ZH = re2.compile(
    rf"^[^\p{{Han}}A-Za-z]*(?:(?:{words.LEADS_ZH})[，,]?)*(?:您|你)?(?:也|再|都|先|务必"
    rf"|要)?(?:{_any(words.VERBS_ZH)})"
    rf"|(?:{words.LEADS_ZH})(?:[A-Za-z0-9@.:/_\-]+|[^。；，,\n]){{0,16}}?(?:{_any(words.VERBS_ZH)})"
    rf"|(?:{words.LEADS_ZH})?(?:把|将)[^。；，,\n]{{1,24}}?(?:{_any(words.VERBS_ZH)})"
    rf"|(?:一律|统一|全部|都|均)(?:要|须|应)?(?:{_any(words.VERBS_ZH)})"
)
_REPORTED_ZH = re2.compile(r"了|[^。；，,：:\n]{0,8}(?:失败|成功|完毕|已完成|超时|出错)")
_REPORT_REACH: Final = 12
_DONE_REACH: Final = 24  # as far back as the next pattern can reach; the whole text would make the cost quadratic
_DONE_ZH = re2.compile(r"(?:已经?|刚刚?|曾|昨天|上周|上次)[^。；，,\n]{0,12}$")


def kinds_asked(sentence: str) -> set[str]:
    """The kinds of what a sentence asks for, by its form; empty when it asks for nothing."""
    kinds: set[str] = set()
    flat = " ".join(sentence.split())
    if not flat.isascii() or any(character.isalpha() for character in flat):
        starts = [
            match for piece in _openings(sentence) for match in (_STARTS_EN.search(piece), _AMOUNT_EN.search(piece))
        ]
        modals = [match for match in _MODAL_EN.finditer(flat) if " able to " not in match.group(0)]
        kinds.update(VERB_KIND[match.group(1).lower()] for match in (*starts, *modals) if match)
        kinds.update(words.PARTICIPLE_CLASS[match.group(1).lower()] for match in _PASSIVE_EN.finditer(flat))
        if _STANDING_EN.search(flat):
            kinds |= {"send", "change"}
    return kinds if flat.isascii() else kinds | _kinds_asked_zh(flat)


def _kinds_asked_zh(flat: str) -> set[str]:
    kinds: set[str] = set()
    seen: set[str] = set()
    for match in _STARTS_ZH.finditer(flat):
        said, (start, end) = match.group(0), match.span()
        if said in seen or _REPORTED_ZH.match(flat[end : end + _REPORT_REACH]):
            continue
        if _DONE_ZH.search(flat[max(0, start - _DONE_REACH) : start + 1]):
            continue
        seen.add(said)
        kinds.update(kind for kind, pattern in _ZH_KIND if pattern.search(said))
    return kinds


def kinds_named(sentence: str) -> set[str]:
    """The kinds of all verbs in a sentence, whatever its form."""
    found = {VERB_KIND.get(word) or words.PARTICIPLE_CLASS.get(word) for word in sentence.lower().split()}
    if not sentence.isascii():
        found.update(kind for kind, pattern in _ZH_KIND if pattern.search(sentence))
    return {kind for kind in found if kind}


def _openings(sentence: str) -> list[str]:
    """Where an order may begin: at the start, after a colon or an introduction, on a new line with a capital."""
    lines = sentence.split("\n")
    starts = [line.strip() for line in lines[1:] if line.strip()[:1].isupper()]
    flat = " ".join(sentence.split())
    after = [part for part in flat.split(": ")[1:] if part]
    openings = [flat, *starts[:8], *after[:8]]
    clauses = [clause for part in openings if _INTRODUCED.search(part) for clause in part.split(", ")[1:5]]
    return [*openings, *clauses[:16]]


def action_kinds(tool_name: str) -> frozenset[str]:
    """What a tool does, by the verbs in its name."""
    tokens = tool_tokens(tool_name)
    found = {VERB_KIND.get(token) or words.TOOL_NOUNS.get(token) for token in tokens}
    if not tool_name.isascii():
        found.update(kind for kind, pattern in _ZH_KIND if pattern.search(tool_name))
    return frozenset(kind for kind in found if kind)


def tool_tokens(tool_name: str) -> tuple[str, ...]:
    """The words of a tool's name in lower case: `GitDeleteRepo`, `git_delete_repo` and `git-delete-repo` alike."""
    return tuple(match.group(0).lower() for match in _TOKEN.finditer(tool_name))


_TOKEN: Any = re2.compile(r"[A-Z]?[a-z]+|[A-Z]+|[\p{Han}]+|\d+")
