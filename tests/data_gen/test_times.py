"""A request says when it holds once at most."""

from __future__ import annotations

import pytest

from data_gen.randomness import rng_for
from data_gen.statements import OrderStyle
from data_gen.texts.documents import ADDRESS, NONE, PATH, phrasebook
from data_gen.texts.times import said_once, times_in


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("From now on, send the figures to a@b.example in the meantime.", 2),
        ("After the move, keep a copy until the move is over.", 2),
        ("Send the figures to a@b.example for Leeds Logistics.", 0),
        ("从现在起，请将数字发到a@b.example，今晚之前。", 2),
        ("本季，请将数字发到a@b.example。", 1),
        ("按约定，请将数字发到a@b.example，以便存档。", 0),
    ],
)
def test_phrases_of_time_are_counted(text: str, count: int) -> None:
    assert times_in(text) == count


@pytest.mark.parametrize("language", ["en", "zh"])
def test_requests_and_orders_alike_say_it_once(language: str) -> None:
    book, rng = phrasebook(language, "acme"), rng_for(language)
    drawn = [book.harmless(name, OrderStyle.PLAIN, rng) for _ in range(150) for name in (ADDRESS, PATH, NONE)]
    drawn += [
        book.order(kind, OrderStyle.PLAIN, rng) for _ in range(150) for kind in ("copy", "replace", "path", "skip")
    ]
    assert max(map(times_in, drawn)) == 1
    assert 0.4 < sum(map(times_in, drawn)) / len(drawn) < 0.95


def test_the_number_of_draws_is_bounded() -> None:
    drawn: list[str] = []

    def always_twice() -> str:
        drawn.append("From now on, this time.")
        return drawn[-1]

    assert times_in(said_once(always_twice)) == 2
    assert len(drawn) == 12
