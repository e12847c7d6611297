"""Asks a knowledge base: a Python function of the host's, or an HTTP endpoint."""

from __future__ import annotations

import http.client
import json
import os
import ssl
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import ValidationError

from mage_ml.config import nearest
from mage_ml.errors import ConfigError, EvaluatorError
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.validator_specs import KnowledgeSpec
from mage_ml.runtime.governor.validators.base import Verdict

KnowledgeBase = Callable[[Mapping[str, Any]], Verdict]
"""A knowledge base in Python: from the question, as plain data, to a verdict."""
_MAX_ANSWER: Final = 64_000


def question_data(question: Question, spec: KnowledgeSpec) -> dict[str, Any]:
    """What a knowledge base is asked, as plain data."""
    utterance, context = question.utterance, question.utterance.context
    return {
        "constraint": question.constraint.id,
        "agent": utterance.agent_id,
        "output": utterance.text,
        "user": context.user,
        "task": context.task,
        "channel": str(context.channel),
        "turn": context.turn,
        "facts": dict(context.facts),
        "options": dict(spec.options),
    }


class FunctionKnowledge:
    """A function that the host registered.

    Args:
        spec: Which one.
        functions: Functions by name.

    Raises:
        ConfigError: There is none of the name.
    """

    def __init__(self, spec: KnowledgeSpec, functions: Mapping[str, KnowledgeBase]) -> None:
        name = spec.source or ""
        if name not in functions:
            hint = nearest(name, list(functions)) if functions else "the host registered none"
            raise ConfigError(f"unknown knowledge base {name!r}; {hint}")
        self._spec = spec
        self._ask = functions[name]

    def check(self, question: Question) -> Verdict:
        """Ask it.

        Raises:
            EvaluatorError: It gave no verdict.
        """
        answer: object = self._ask(question_data(question, self._spec))
        if not isinstance(answer, Verdict):
            found = type(answer).__name__
            raise EvaluatorError(f"knowledge base {self._spec.source}: gave {found}; expected a Verdict")
        return answer


class HttpKnowledge:
    """An endpoint that is posted the question as JSON and answers `{"violated": bool, ...}`, the fields of `Verdict`.

    Anything else is a failure: another status than 200, no JSON, a missing or unknown field, a time-out. Redirects are
    not followed and no proxy is used.

    Args:
        spec: Where it is.
        environ: Where the token is looked up; by default the process's environment.

    Raises:
        ConfigError: The environment variable with the token is not set.
    """

    def __init__(self, spec: KnowledgeSpec, environ: Mapping[str, str] | None = None) -> None:
        parts = urlsplit(spec.url or "")
        self._host, self._port = parts.hostname or "", parts.port
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._is_tls = parts.scheme == "https"
        self._spec = spec
        self._headers = {"Content-Type": "application/json"}
        if spec.secret_env is not None:
            token = (os.environ if environ is None else environ).get(spec.secret_env)
            if not token:
                raise ConfigError(f"secret_env: the environment variable {spec.secret_env} is not set")
            self._headers["Authorization"] = f"Bearer {token}"

    def check(self, question: Question) -> Verdict:
        """Ask it, once.

        Raises:
            EvaluatorError: It gave no verdict.
        """
        body = json.dumps(question_data(question, self._spec), ensure_ascii=False, default=str).encode()
        connection = self._connection()
        name = f"knowledge base at {self._host}"
        try:
            connection.request("POST", self._path, body=body, headers=self._headers)
            response = connection.getresponse()
            answer = response.read(_MAX_ANSWER)
        except (OSError, http.client.HTTPException) as error:
            raise EvaluatorError(f"{name}: {type(error).__name__}: {error}") from error
        finally:
            connection.close()
        if response.status != http.HTTPStatus.OK:
            raise EvaluatorError(f"{name}: answered {response.status}")
        try:
            return Verdict.model_validate_json(answer, strict=True)
        except ValidationError as error:
            raise EvaluatorError(f"{name}: its answer is no verdict: {error.errors()[0]['msg']}") from error

    def _connection(self) -> http.client.HTTPConnection:
        timeout_s = self._spec.timeout_s
        if not self._is_tls:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=timeout_s, context=ssl.create_default_context()
        )
