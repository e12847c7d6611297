"""A model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, JsonValue

from data_gen.session import AgentError
from mage_ml.cassette import Cassette, Reply, ToolRequest, key_of
from mage_ml.config import Config
from mage_ml.extras import require


class ChatConfig(Config):
    """Which model to ask, and how."""

    base_url: Annotated[str, Field(description="Address of the endpoint, up to /v1.")] = "http://127.0.0.1:8000/v1"
    model: Annotated[str, Field(min_length=1, description="Name of the model.")] = "local"
    api_key: Annotated[str, Field(min_length=1, description="Key; any word for local servers.", repr=False)] = "none"
    temperature: Annotated[float, Field(ge=0.0, le=2.0, description="Sampling temperature, 0 to 2.")] = 0.0
    max_tokens: Annotated[int, Field(ge=16, le=32_768, description="Longest answer, in tokens.")] = 1024
    timeout_s: Annotated[float, Field(gt=0, description="Seconds to wait for an answer.")] = 60.0
    retries: Annotated[int, Field(ge=0, le=10, description="Retries after errors of the server or the network.")] = 2


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it.

    Attributes:
        name: Its name.
        description: What it does.
        parameters: JSON Schema of its arguments.
    """

    name: str
    description: str
    parameters: dict[str, JsonValue]


class ChatModel:
    """Asks a model, or its cassette.

    Args:
        config: Which model.
        cassette: Recorded answers; `None` to ask the model always.
    """

    def __init__(self, config: ChatConfig, cassette: Cassette | None = None) -> None:
        self._config = config
        self._cassette = cassette
        self._client: Any = None

    def ask(self, system: str, user: str, tools: Sequence[ToolSpec]) -> Reply:
        """One answer.

        Raises:
            AgentError: The endpoint fails, or its answer is no chat completion.
            MissingExtraError: Without the `llm` extra.
            RecordError: The cassette is replayed and holds no answer.
        """
        request = self._request(system, user, tools)
        key = key_of(request)
        known = self._cassette.find(key) if self._cassette is not None else None
        if known is not None:
            return known
        reply = self._complete(request)
        if self._cassette is not None:
            self._cassette.keep(key, reply)
        return reply

    def _request(self, system: str, user: str, tools: Sequence[ToolSpec]) -> dict[str, Any]:
        return {
            "model": self._config.model,
            "temperature": self._config.temperature,
            "max_tokens": self._config.max_tokens,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "tools": [
                {
                    "type": "function",
                    "function": {"name": t.name, "description": t.description, "parameters": t.parameters},
                }
                for t in tools
            ],
        }

    def _complete(self, request: dict[str, Any]) -> Reply:
        openai = require("openai", extra="llm", purpose="run live agents")
        if self._client is None:
            self._client = openai.OpenAI(
                base_url=self._config.base_url,
                api_key=self._config.api_key,
                timeout=self._config.timeout_s,
                max_retries=self._config.retries,
            )
        try:
            answer = self._client.chat.completions.create(**request)
            choice = answer.choices[0]
            calls = tuple(
                ToolRequest(tool=call.function.name, arguments=call.function.arguments)
                for call in choice.message.tool_calls or ()
            )
            return Reply(text=choice.message.content or "", calls=calls, is_cut=choice.finish_reason == "length")
        except openai.OpenAIError as error:
            raise AgentError(f"{self._config.base_url}: {type(error).__name__}: {error}") from error
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise AgentError(f"{self._config.base_url}: the answer is no chat completion: {error}") from error

    def close(self) -> None:
        """Close connections."""
        if self._client is not None:
            self._client.close()
