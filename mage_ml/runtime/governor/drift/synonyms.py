"""Words that say the same in a rule, in English and Chinese; a host adds those of its trade."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from mage_ml.errors import ConfigError
from mage_ml.memory.facts.words import stem as _stem

# Only words that bind as much as each other: "mail" is narrower than "send", and a rule on one is no rule on the other.
_VERBS: Final = (
    "send|dispatch",
    "mail|email|e-mail",
    "share|disclose|reveal|divulge",
    "delete|erase",
    "pay|payment|payout|disburse",
    "approval|approved|authorisation|authorised|authorization|authorized|sign-off|signoff|clearance|cleared",
    "compensate|compensation",
    "refund|reimburse|reimbursement",
    "tell|inform|notify",
    "give|grant",
    "buy|purchase",
    "change|modify|alter",
    "keep|retain",
    "book|reserve",
    "store|save",
    "发送|发给|发往",
    "泄露|透露|披露",
    "删除|清除",
    "赔付|赔给|补偿|赔偿",
    "支付|付款|付给|付",
    "退款|退费",
    "告知|通知|告诉",
    "承诺|许诺",
    "授予|开通",
    "批准|获批|核准|审批",
    "购买|采购",
    "修改|更改|变更",
    "保留|留存",
    "预订|预定",
    "复核|审核",
)
_NOUNS: Final = (
    "customer|client",
    "information|data|details",
    "company|organisation|organization|firm",
    "phone|telephone",
    "客户|顾客",
    "员工|雇员|职员",
    "信息|数据|资料",
    "公司|企业",
    "钱|款项",
)


_IRREGULAR: Final = MappingProxyType(
    {
        "told": "tell", "sent": "send", "paid": "pay", "gave": "give", "given": "give", "kept": "keep",
        "bought": "buy", "written": "write", "wrote": "write", "made": "make", "taken": "take", "took": "take",
        "shown": "show", "sold": "sell", "spent": "spend", "left": "leave", "held": "hold", "met": "meet",
    }
)  # fmt: skip
_DOUBLED: Final = frozenset(letter * 2 for letter in "bdgmnprt")


def root_of(word: str) -> str:
    """An English word in lower case without its endings, so that `share`, `shared` and `sharing` are equal."""
    stemmed = _stem(_IRREGULAR.get(word, word))
    if stemmed != word and stemmed[-2:] in _DOUBLED and word.endswith(("ed", "ing")):
        return stemmed[:-1]
    return stemmed[:-1] if len(stemmed) > 3 and stemmed.endswith("e") else stemmed


@dataclass(frozen=True, slots=True, eq=False)
class Synonyms:
    """Groups of words that count as equal in a restatement.

    Attributes:
        verbs: Word -> the word that stands for its group. What is done may stand anywhere in a sentence.
        nouns: The same for words whose order matters.
        phrases: Entries of more than one word, and Chinese ones, longest first.
    """

    verbs: Mapping[str, str]
    nouns: Mapping[str, str]
    phrases: tuple[str, ...]

    def canonical(self, word: str) -> tuple[str, bool]:
        """The word that stands for a word, and whether it is something done."""
        key = word if not word.isascii() or " " in word else root_of(word)
        if key in self.verbs:
            return self.verbs[key], True
        return self.nouns.get(key, key), False


def synonyms_of(verbs: Iterable[str] = (), nouns: Iterable[str] = ()) -> Synonyms:
    """The built-in groups and those of a host.

    Args:
        verbs: Groups of words for what is done, joined by `|`, for instance `promise|announce`.
        nouns: Groups of words for things and people.

    Raises:
        ConfigError: A group of fewer than two words, or a word in two groups.
    """
    return _build(tuple(verbs), tuple(nouns))


@lru_cache(maxsize=32)
def _build(verbs: tuple[str, ...], nouns: tuple[str, ...]) -> Synonyms:
    found_verbs, found_nouns = _table((*verbs, *_VERBS), len(verbs)), _table((*nouns, *_NOUNS), len(nouns))
    words = (*found_verbs, *found_nouns)
    phrases = sorted((word for word in words if " " in word or not word.isascii()), key=lambda word: (-len(word), word))
    return Synonyms(MappingProxyType(found_verbs), MappingProxyType(found_nouns), tuple(phrases))


def _table(groups: tuple[str, ...], own: int) -> dict[str, str]:
    """Word -> representative; a host's group takes in the built-in groups that share a word with it."""
    table: dict[str, str] = {}
    for place, group in enumerate(groups):
        words = [_key(word) for word in group.split("|") if word.strip()]
        if len(words) < 2:
            raise ConfigError(f"synonym group {group!r}: expected two words and more, joined by '|'")
        clash = next((word for word in words if word in table), None)
        if clash is not None and place < own:
            raise ConfigError(f"synonym group {group!r}: {clash!r} stands in another group; join the two")
        head = table[clash] if clash is not None else words[0]
        for word in words:
            table.setdefault(word, head)
    return table


def _key(word: str) -> str:
    plain = word.strip().lower()
    return plain if not plain.isascii() or " " in plain else root_of(plain)
