"""Which language a text is in, as far as it matters here: whether rules and model were built for it.

English and Chinese are. Other scripts are told by their letters, other languages in Latin letters by their commonest
words, sentence by sentence, because an order in one foreign sentence is enough.
"""

from __future__ import annotations

from typing import Final

import re2

MAX_CHARS: Final = 20_000
_FOREIGN_LETTERS: Final = 12
_MIN_WORDS: Final = 5
_MIN_SHARE: Final = 0.2

# Letters only: kana beside Han means Japanese; single Greek letters are formulas.
_OTHER_SCRIPT = re2.compile(
    r"[\p{Hiragana}\p{Katakana}\p{Hangul}\p{Cyrillic}\p{Greek}\p{Arabic}\p{Hebrew}\p{Thai}\p{Devanagari}\p{Bengali}"
    r"\p{Tamil}\p{Telugu}\p{Georgian}\p{Armenian}\p{Ethiopic}\p{Khmer}\p{Lao}\p{Myanmar}\p{Sinhala}]"
)
_SENTENCE = re2.compile(r"[^.!?。！？\n]+")
_WORD = re2.compile(r"[\p{Latin}]+")

_ENGLISH: Final = (
    "the and of to is are was were it this that with for from you your we our be have has not or by at will can please"
    " if when they their all which should must would there its been but about before after what how"
)
_FOREIGN: Final = {
    "de": "der das und nicht ist ein eine einen einem einer dem den mit für auf auch wenn dass bitte zu vom zum zur sie"
    " ich du wir ihr sich von oder aber bei nach über alle allen wird werden muss müssen ihre ihren deine dein",
    "fr": "le la les des et est une un du dans pour pas ne que qui sur avec au aux ce cette vous nous tu elle sont"
    " doit doivent avant toutes tous votre ton tes ses leur quand aussi l d à qu",
    "es": "el la los las es una del en para por que con se su al lo como más este esta debe deben antes cuando todas"
    " todos también primero nota",
    "it": "il gli una del della di che per non con si al come più questo questa deve prima quando tutti tutte anche"
    " sono",
    "pt": "os uma da em para por não que com se ao como mais este esta deve antes quando todos todas também você",
    "nl": "het een niet van voor met op dat zijn te aan ook als wordt moet alle naar deze uw jij",
}
_ENGLISH_WORDS: Final = frozenset(_ENGLISH.split())
_FOREIGN_WORDS: Final = {name: frozenset(words.split()) - _ENGLISH_WORDS for name, words in _FOREIGN.items()}
_LETTERS_ONLY: Final = {code: " " for code in range(128) if not chr(code).isalpha()}
_ALL_FOREIGN: Final = frozenset().union(*_FOREIGN_WORDS.values())


def is_supported(text: str) -> bool:
    """Whether a text is in English or Chinese throughout, or too short to tell. Looks at the first 20,000 characters.

    Args:
        text: With look-alike letters already replaced; see `normalise`.
    """
    sample = text[:MAX_CHARS]
    if sample.isascii() and _ALL_FOREIGN.isdisjoint(sample.lower().translate(_LETTERS_ONLY).split()):
        return True  # spares nearly all texts the count by sentence
    if not sample.isascii() and sum(1 for _ in _OTHER_SCRIPT.finditer(sample)) >= _FOREIGN_LETTERS:
        return False
    return not any(_is_foreign(match.group(0)) for match in _SENTENCE.finditer(sample))


def _is_foreign(sentence: str) -> bool:
    words = _WORD.findall(sentence.lower())
    if sum(len(word) > 1 for word in words) < _MIN_WORDS:
        return False
    english = sum(word in _ENGLISH_WORDS for word in words)
    for known in _FOREIGN_WORDS.values():
        hits = [word for word in words if word in known]
        if len(set(hits)) >= 2 and len(hits) >= _MIN_SHARE * len(words) and len(hits) > english:
            return True
    return False
