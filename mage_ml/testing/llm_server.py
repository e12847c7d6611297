"""A server on the loopback interface that speaks the chat-completions protocol and says what a test wants it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

_PATH: Final = "/v1/chat/completions"
_MODELS: Final = "/v1/models"
_PIECES: Final = 4
_MAX_BODY: Final = 32_000_000

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ServerReply:
    """What the server answers to one request.

    Attributes:
        text: What the model says.
        tool_calls: Tool calls beside it, as the protocol has them.
        finish_reason: Why the model stopped; `None` leaves it out.
        status: HTTP status; from 400 on, `text` is the error's message.
        headers: Further headers.
        delay_s: Seconds before the answer. A server that is stopped answers no more.
        kept_share: Below 1, only this share of the body is sent, and then the connection is cut.
        counts_tokens: Whether usage is reported.
        body: Sent in place of a chat completion, byte for byte.
    """

    text: str = ""
    tool_calls: tuple[JsonObject, ...] = ()
    finish_reason: str | None = "stop"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    kept_share: float = 1.0
    counts_tokens: bool = True
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """What the server was sent.

    Attributes:
        body: The request.
        headers: Its headers, names in lower case.
        number: From 0.
    """

    body: JsonObject
    headers: Mapping[str, str]
    number: int

    @property
    def text(self) -> str:
        """All that the messages say."""
        return "\n".join(str(message.get("content")) for message in self.body["messages"])


class LlmServer:
    """Answers requests for chat completions, streamed or whole, in threads of its own. Use it in a `with` block.

    As a real endpoint it refuses what is not of the protocol: unknown paths (404), bodies without model or messages
    (400), a missing or wrong key (401), a `response_format` that it does not know (400).

    Args:
        respond: Says what is answered to a request, on the thread of the request.
        key: The key it asks for; `None` for none.
        formats: Types of `response_format` that it knows.
    """

    def __init__(
        self,
        respond: Callable[[ReceivedRequest], ServerReply],
        *,
        key: str | None = None,
        formats: frozenset[str] = frozenset({"json_schema", "json_object", "text"}),
    ) -> None:
        self._respond = respond
        self._key = key
        self._formats = formats
        self._lock = threading.Lock()
        self._received: list[ReceivedRequest] = []
        self._busy = self._busiest = 0
        self._stopping = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def base_url(self) -> str:
        """The address that a client is given."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def requests(self) -> tuple[ReceivedRequest, ...]:
        """The requests for chat completions so far, those refused included."""
        with self._lock:
            return tuple(self._received)

    @property
    def busiest(self) -> int:
        """The most requests that were under way at the same time."""
        with self._lock:
            return self._busiest

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, raw: bytes, headers: Mapping[str, str]) -> tuple[JsonObject, ServerReply]:
        try:
            body = json.loads(raw)
            is_request = isinstance(body["messages"], list) and isinstance(body["model"], str) and body["messages"]
        except (ValueError, KeyError, TypeError):
            body, is_request = {}, False
        if not is_request:
            return body, ServerReply("expected an object with `model` and `messages`", status=400)
        with self._lock:
            request = ReceivedRequest(body, headers, len(self._received))
            self._received.append(request)
            self._busy += 1
            self._busiest = max(self._busiest, self._busy)
        try:
            reply = self._refusal(request) or self._respond(request)
            self._stopping.wait(reply.delay_s)
        finally:
            with self._lock:
                self._busy -= 1
        return body, reply

    def _refusal(self, request: ReceivedRequest) -> ServerReply | None:
        if self._key is not None and request.headers.get("authorization") != f"Bearer {self._key}":
            return ServerReply(f"wrong key: {request.headers.get('authorization')}", status=401)
        wanted = (request.body.get("response_format") or {"type": "text"}).get("type")
        if wanted not in self._formats:
            return ServerReply(f"response_format of type {wanted!r} is not supported", status=400)
        return None


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.rstrip("/") != _MODELS:
            self._send(404, b"{}", {})
            return
        self._send(200, json.dumps({"object": "list", "data": [{"id": "local", "object": "model"}]}).encode(), {})

    def do_POST(self) -> None:
        raw = self.rfile.read(min(_MAX_BODY, int(self.headers.get("Content-Length", 0))))
        if self.path.rstrip("/") != _PATH:
            self._send(404, b'{"error": {"message": "no such path"}}', {})
            return
        request, reply = self.server.owner._answer(raw, {name.lower(): value for name, value in self.headers.items()})
        if reply.status >= 400:
            error = {"error": {"message": reply.text, "type": "server_error", "code": None}}
            self._send(reply.status, json.dumps(error).encode(), reply.headers)
        elif request.get("stream") and reply.body is None:
            self._stream(request, reply)
        else:
            data = reply.body if reply.body is not None else json.dumps(_completion(request, reply)).encode()
            self._send(reply.status, data, reply.headers, kept=reply.kept_share)

    def _send(self, status: int, data: bytes, headers: Mapping[str, str], *, kept: float = 1.0) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: int(len(data) * kept)])
        self.close_connection = kept < 1.0

    def _stream(self, request: JsonObject, reply: ServerReply) -> None:
        self.send_response(200)
        for name, value in {"Content-Type": "text/event-stream", **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        events = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in _chunks(request, reply)]
        events = [*events, b"data: [DONE]\n\n"][: int((len(events) + 1) * reply.kept_share)]
        for event in events:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            self.wfile.flush()
        if reply.kept_share < 1.0:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a client that keeps its connection would hold up the end
    request_queue_size = 128

    def __init__(self, owner: LlmServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: a client that went away is part of what is tested."""


def _completion(request: JsonObject, reply: ServerReply) -> JsonObject:
    message: JsonObject = {"role": "assistant", "content": reply.text or None if reply.tool_calls else reply.text}
    if reply.tool_calls:
        message["tool_calls"] = list(reply.tool_calls)
    choice: JsonObject = {"index": 0, "message": message, "logprobs": None}
    if reply.finish_reason is not None:
        choice["finish_reason"] = reply.finish_reason
    found = {**_head(request, "chat.completion"), "choices": [choice]}
    return {**found, "usage": _usage(request, reply)} if reply.counts_tokens else found


def _chunks(request: JsonObject, reply: ServerReply) -> list[JsonObject]:
    head = _head(request, "chat.completion.chunk")
    size = max(1, -(-len(reply.text) // _PIECES))
    pieces = [reply.text[start : start + size] for start in range(0, len(reply.text), size)]
    deltas: list[JsonObject] = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces)]
    if reply.tool_calls:
        deltas.append({"tool_calls": [{"index": number, **call} for number, call in enumerate(reply.tool_calls)]})
    chunks = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    if reply.finish_reason is not None:
        chunks.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}]})
    if reply.counts_tokens and (request.get("stream_options") or {}).get("include_usage"):
        chunks.append({**head, "choices": [], "usage": _usage(request, reply)})
    return chunks


def _head(request: JsonObject, kind: str) -> JsonObject:
    return {"id": "chatcmpl-test", "object": kind, "created": 0, "model": request["model"]}


def _usage(request: JsonObject, reply: ServerReply) -> JsonObject:
    """Token counts by a simple rule: one for four characters."""
    read = sum(len(str(message.get("content"))) for message in request["messages"]) // 4 + 1
    written = len(reply.text) // 4 + 1
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
