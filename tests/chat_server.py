"""A server that speaks the protocol of chat completions, with a very small mind behind it."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ChatServer(ThreadingHTTPServer):
    """Judges by the years of claim and evidence; counts what it was asked."""

    daemon_threads = True

    def __init__(self, *, key: str = "", logprobs: bool = True, busy: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.key, self.logprobs, self.busy = key, logprobs, busy
        self.asked: list[dict[str, Any]] = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            return self._answer(404, _error("Not found"))
        if self.server.key and self.headers["Authorization"] != f"Bearer {self.server.key}":
            return self._answer(401, _error("Incorrect API key provided"))
        if self.server.busy:
            self.server.busy -= 1
            return self._answer(429, _error("Rate limit reached"))
        if "logprobs" in body and not self.server.logprobs:
            return self._answer(400, _error("logprobs is not supported by this model"))
        self.server.asked.append(body)
        return self._answer(200, _completion(body))

    def _answer(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "code": None}}


def _completion(body: dict[str, Any]) -> dict[str, Any]:
    user = body["messages"][-1]["content"]
    claim, _, evidence = user.partition("\nEvidence: ")
    asked, known = (set(re.findall(r"\d{4}", text)) for text in (claim, evidence))
    letter = "C" if not asked or not known else "A" if asked <= known else "B"
    shares = {one: -0.1 if one == letter else -3.0 for one in "ABC"}
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": letter},
        "finish_reason": "stop",
    }
    if body.get("logprobs"):
        top = [{"token": t, "logprob": p, "bytes": [ord(t)]} for t, p in shares.items()]
        own = {"token": letter, "logprob": shares[letter], "bytes": [ord(letter)]}
        choice["logprobs"] = {"content": [{**own, "top_logprobs": top}]}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": body["model"],
        "choices": [choice],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


@contextmanager
def chat_server(**settings: Any) -> Iterator[ChatServer]:
    """Run such a server on a free port."""
    with ChatServer(**settings) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
