"""The server: one page, and news of the next one, for browsers on this computer.

Every process on this computer can connect. To keep such a process from locking the user out, each request is limited to
`_REQUEST_BYTES` and `_REQUEST_SECONDS`, and each connection to `_LIFE`; the body of a request is never read. If all `_MOST`
connections are in use, a new connection replaces the oldest one whose request was not accepted. The page in the user's browser
waits for news with a request that was accepted, so it is not replaced.
"""

import io
import json
import os
import re
import socket
import sys
import threading
import time
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Self

from minitape.html.policy import policy_in
from minitape_cli.serving.access import AccessRules
from minitape_cli.serving.board import Board

_HELD = 15.0  # the maximum number of seconds that a request for news waits
_REQUEST_SECONDS = 5.0  # the time limit for receiving a request with all its headers
# The size limit of a request with all its headers; browsers send about 1,000 bytes.
_REQUEST_BYTES = 16 * 1024
_ANSWER_SECONDS = 10.0  # the time limit for sending a response
_LIFE = 30.0  # the longest duration of a connection in seconds
_MOST = 64  # the maximum number of connections at the same time

_EVERY_ANSWER = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Connection": "close",
}


@dataclass
class _Connection:
    """An open connection."""

    ends: float  # on the monotonic clock
    is_let_in: bool = False


class Server(ThreadingHTTPServer):
    """Serves a board in its own threads within a `with` block; at the end of the block all of them have ended.

    Args:
        board: The board to serve.
        port: The port; 0 for any free one.

    Raises:
        OSError: the port is in use, or not permitted.
    """

    daemon_threads = True
    allow_reuse_address = (
        os.name == "posix"
    )  # on Windows it would let two servers use the same port
    request_queue_size = 2 * _MOST

    def __init__(self, board: Board, port: int = 0) -> None:
        self.board = board
        self._open: dict[socket.socket, _Connection] = {}  # the oldest first
        self._opening = threading.Lock()
        super().__init__(("127.0.0.1", port), _Answers)
        self.exit_path = AccessRules(self.server_port)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True)

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # the inherited method looks up the host name on the network
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
            if len(self._open) >= _MOST:
                self._close_oldest()
            self._open[request] = _Connection(time.monotonic() + _LIFE)
        super().process_request(request, client_address)

    def _close_oldest(self) -> None:
        """End the oldest connection without an accepted request; if all have one, the oldest of all."""
        idle = (each for each, known in self._open.items() if not known.is_let_in)
        oldest = next(idle, None) or next(iter(self._open))
        del self._open[oldest]
        _end(oldest)

    def let_in(self, request: socket.socket) -> None:
        """Record that the request of a connection was accepted."""
        with self._opening:
            if request in self._open:
                self._open[request].is_let_in = True

    def shutdown_request(self, request: Any) -> None:
        with self._opening:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        self._cut(time.monotonic())

    def _cut(self, now: float) -> None:
        """End the connections whose time has expired; their threads then see a closed connection."""
        with self._opening:
            for each, known in self._open.items():
                if known.ends < now:
                    _end(each)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):  # a browser that disconnects is not an error
            super().handle_error(request, client_address)


def _end(connection: socket.socket) -> None:
    """End a connection, so that its thread stops waiting for it and closes it."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:  # the other side has already closed it
        return


class _TooLargeError(OSError):
    """A request of more than `_REQUEST_BYTES`."""


class _Request(io.RawIOBase):
    """Reads from a connection up to a number of bytes and a point in time.

    A timeout of the socket alone would start again with each byte.

    Args:
        connection: The connection to read from.

    Raises:
        _TooLargeError: a read exceeds the number of bytes.
        TimeoutError: a read exceeds the time.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._left, self._ends = _REQUEST_BYTES, time.monotonic() + _REQUEST_SECONDS

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        seconds = self._ends - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        if self._left == 0:
            raise _TooLargeError
        self._connection.settimeout(seconds)
        received = self._connection.recv_into(memoryview(buffer)[: self._left])
        self._left -= received
        return received


class _Answers(BaseHTTPRequestHandler):
    """Answers one request; a refused request gets a status code without a text."""

    server: Server
    request_version = "HTTP/1.1"  # the default for the response to an unreadable request

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        self.rfile = io.BufferedReader(_Request(self.connection))

    def handle(self) -> None:
        try:
            super().handle()
        except _TooLargeError:
            self.close_connection = True
            self.send_error(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if self.server.exit_path.is_foreign(self.headers):
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        command = self.server.exit_path.named(path, ("", "news"))
        if command is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.server.let_in(self.connection)
        if command == "news":
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
        self.connection.settimeout(_ANSWER_SECONDS)
        for name, value in _EVERY_ANSWER.items():
            self.send_header(name, value)
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send only a status code; the inherited page would repeat the request."""
        is_method = code == HTTPStatus.NOT_IMPLEMENTED
        self.send_response_only(HTTPStatus.METHOD_NOT_ALLOWED if is_method else code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: the terminal shows only the runs."""
