"""The server: one page, and news of the next one, to the browsers of this computer."""

import json
import os
import re
import socket
import sys
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Self

from minitape.page.policy import policy_in
from minitape_cli.serving.board import Board
from minitape_cli.serving.door import Door

_HELD = 15.0  # seconds that a question for news is held, if there is none
_SILENCE = 5.0  # seconds within which a request goes on
_LIFE = 30.0  # seconds that a connection lasts at most, however slowly it goes on
_MOST = 64  # connections at a time

_EVERY_ANSWER = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Connection": "close",
}


class Server(ThreadingHTTPServer):
    """Serves a board in threads of its own, within a `with` block; after it nothing of it is left.

    Args:
        board: What is served.
        port: Where; 0 is any that is free.

    Raises:
        OSError: the port is taken, or not for us.
    """

    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # on Windows that would let two listen at once
    request_queue_size = _MOST

    def __init__(self, board: Board, port: int = 0) -> None:
        self.board = board
        self._open: dict[socket.socket, float] = {}  # when each connection is over
        self._opening = threading.Lock()
        super().__init__(("127.0.0.1", port), _Answers)
        self.door = Door(self.server_port)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True)

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # the parent's asks the network for our name
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]  # bytes are for Unix sockets

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.shutdown()
        self.server_close()
        self._cut(float("inf"))

    # --- connections ---

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._opening:
            has_room = len(self._open) < _MOST
            if has_room:
                self._open[request] = time.monotonic() + _LIFE
        if has_room:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        with self._opening:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        self._cut(time.monotonic())

    def _cut(self, now: float) -> None:
        """End the connections whose time is over; their threads then find nobody there."""
        with self._opening:
            for each, until in self._open.items():
                if until < now:
                    try:
                        each.shutdown(socket.SHUT_RDWR)
                    except OSError:  # the other side was quicker
                        continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):  # a browser that leaves is no error
            super().handle_error(request, client_address)


class _Answers(BaseHTTPRequestHandler):
    """Answers one request; what is refused gets a number and not a word."""

    server: Server
    timeout = _SILENCE

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if self.server.door.is_foreign(self.headers):
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        asked = self.server.door.named(path, ("", "news"))
        if asked is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        elif asked == "news":
            after = re.fullmatch(r"after=(-?\d{1,9})", query)
            news = self.server.board.news(int(after[1]) if after else -1, _HELD)
            self._answer(json.dumps(news.as_data()), "application/json", "default-src 'none'")
        else:
            page = self.server.board.page
            self._answer(page, "text/html; charset=utf-8", policy_in(page))

    def _answer(self, text: str, kind: str, policy: str) -> None:
        data = text.encode()
        self.send_response_only(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", f"{policy}; frame-ancestors 'none'")
        self.end_headers()
        self.wfile.write(data)

    def end_headers(self) -> None:
        for name, value in _EVERY_ANSWER.items():
            self.send_header(name, value)
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Without the parent's page, which repeats what was asked."""
        is_method = code == HTTPStatus.NOT_IMPLEMENTED
        self.send_response_only(HTTPStatus.METHOD_NOT_ALLOWED if is_method else code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the terminal belongs to the runs."""
