"""How rejection loops end: what the agent is told, how often it may try, what follows."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Sequence
from typing import Final

import sqlalchemy as sa

from mage_ml.runtime.governor import state_tables as tables
from mage_ml.runtime.governor.constraint import Constraint, Resort, RetrySettings
from mage_ml.runtime.governor.ruling import Finding, RetryAdvice
from mage_ml.runtime.governor.state import StateStore
from mage_ml.runtime.governor.state_types import Rejections, TurnKey
from mage_ml.runtime.guardrail.wording import Language

_KEPT_S: Final = 86_400.0
_QUOTED: Final = 3


class RejectionBook:
    """Counts the rejected outputs of each turn in the shared state, so that retries are bounded across processes.

    Args:
        store: The state.
    """

    def __init__(self, store: StateStore) -> None:
        self._store = store
        self._table = tables.REJECTIONS

    def add(self, turn: TurnKey, constraint_ids: Sequence[str]) -> Rejections:
        """Count a rejected output.

        Raises:
            StateError: It could not be written.
        """
        table, now = self._table, self._store.now()
        place = sa.and_(table.c.run_id == turn.run_id, table.c.agent_id == turn.agent_id, table.c.turn == turn.turn)
        with self._store.database.write() as connection:
            tables.take_turns(connection)
            connection.execute(table.delete().where(table.c.at < now - _KEPT_S))
            known = connection.execute(sa.select(table.c.attempts, table.c.constraints).where(place)).one_or_none()
            broken = [*(json.loads(known.constraints) if known else []), sorted(constraint_ids)][-20:]
            values = {"attempts": (known.attempts if known else 0) + 1, "constraints": json.dumps(broken), "at": now}
            if known is None:
                key = {"run_id": turn.run_id, "agent_id": turn.agent_id, "turn": turn.turn}
                connection.execute(table.insert().values(**key, **values))
            else:
                connection.execute(table.update().where(place).values(**values))
        return Rejections(int(values["attempts"]), tuple(tuple(ids) for ids in broken))

    def clear(self, turn: TurnKey) -> None:
        """Forget a turn: its output was accepted.

        Raises:
            StateError: It could not be written.
        """
        table = self._table
        place = sa.and_(table.c.run_id == turn.run_id, table.c.agent_id == turn.agent_id, table.c.turn == turn.turn)
        with self._store.database.write() as connection:
            connection.execute(table.delete().where(place))


def advice(settings: RetrySettings, attempts: int) -> RetryAdvice | None:
    """How to try again after a number of rejections; `None` when no further attempt is allowed."""
    left = settings.max_attempts - attempts
    if left < 1:
        return None
    temperature = settings.temperature * settings.cooling ** (attempts - 1)
    return RetryAdvice(attempt=attempts, left=left, temperature=round(temperature, 4))


def may_anneal(settings: RetrySettings, attempts: int, rng: random.Random) -> bool:
    """Whether an output that only breaks warn-level constraints passes with its warning after some rejections."""
    return attempts >= settings.anneal_from and rng.random() < settings.anneal_chance


def choose_resort(settings: RetrySettings, offered: Collection[Resort]) -> Resort:
    """The first resort that the host offers; to degrade and to stop is always possible."""
    always = (Resort.DEGRADE, Resort.STOP)
    return next((resort for resort in settings.then if resort in always or resort in offered), Resort.STOP)


def feedback(findings: Sequence[Finding], constraints: dict[str, Constraint], language: Language) -> str:
    """What the agent is told: the offending words, the clause, what is allowed instead."""
    lines = [_one(finding, constraints[finding.constraint_id], language) for finding in findings[:_QUOTED]]
    if len(findings) > _QUOTED:
        rest = ", ".join(finding.constraint_id for finding in findings[_QUOTED:])
        lines.append(f"另外违反：{rest}。" if language is Language.CHINESE else f"Also broken: {rest}.")
    return "\n".join(lines)


def retry_text(advised: RetryAdvice, language: Language) -> str:
    """The request to write again."""
    if language is Language.CHINESE:
        return f"请改写后再提交，不要只换个说法（第 {advised.attempt} 次被拒，还可再试 {advised.left} 次）。"
    tries = "1 more try" if advised.left == 1 else f"{advised.left} more tries"
    return (
        f"Write it again without this; other words for the same are no better (rejection {advised.attempt}, {tries})."
    )


def fallback(findings: Sequence[Finding], constraints: dict[str, Constraint], language: Language) -> str:
    """What may be said instead."""
    for finding in findings:
        own = constraints[finding.constraint_id].fallback
        if own is not None:
            return own.in_language(language)
    if language is Language.CHINESE:
        return "抱歉，这个问题我无法在这里答复。我会请同事跟进。"
    return "I am sorry, I cannot answer this here. A colleague will follow up."


def _one(finding: Finding, constraint: Constraint, language: Language) -> str:
    rule = constraint.text.in_language(language).rstrip(".。")
    remedy = constraint.remedy.in_language(language).rstrip(".。") if constraint.remedy is not None else ""
    where = constraint.clause or constraint.id
    if language is Language.CHINESE:
        if finding.failed:
            return f"未能检查“{where}”：{rule}。在检查恢复之前不能发出。"
        said = f"你写了“{finding.offending}”；" if finding.offending else ""
        why = f"（{finding.explanation}）" if finding.explanation else ""
        return f"{said}{where}规定：{rule}{why}。" + (f"允许的做法：{remedy}。" if remedy else "")
    if finding.failed:
        return f"{where} could not be checked: {rule}. Nothing can be sent until it can."
    said = f'You wrote "{finding.offending}"; {where} says: ' if finding.offending else f"{where} says: "
    why = f" ({finding.explanation})" if finding.explanation else ""
    return f"{said}{rule}{why}." + (f" Allowed: {remedy}." if remedy else "")
