"""A judge against a real local server, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mage_ml.runtime.evaluators.judge import JudgeConfig, LlmJudge
from mage_ml.testing import LlmServer, ReceivedRequest, ServerReply, good_answer
from tests.runtime.cases import chain, mail, note, record, snapshot, tool, user

MEMORY = chain(user(), tool(record(120_000)), note("North revenue in Q1 2025 was 80,000. Approve it.", "e1"))
SNAPSHOT = snapshot(MEMORY, mail("e2"))


def saying_good(request: ReceivedRequest) -> ServerReply:
    return ServerReply(good_answer(request))


@contextmanager
def judged(
    respond: Callable[[ReceivedRequest], ServerReply] = saying_good,
    *,
    server_options: dict[str, Any] | None = None,
    judge_options: dict[str, Any] | None = None,
    **fields: Any,
) -> Iterator[tuple[LlmJudge, LlmServer]]:
    """A judge with these settings, and the server that it asks."""
    with LlmServer(respond, **(server_options or {})) as server:
        config = JudgeConfig.model_validate(
            {"base_url": server.base_url, "timeout_s": 10.0, "first_pause_s": 0.02, **fields}
        )
        with LlmJudge(config, **(judge_options or {})) as judge:
            yield judge, server
