"""Access to the page that `--watch` serves, tested through its socket: each request as a foreign client would send it."""

import json
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest

from minitape.html import shell
from minitape_cli.serving import server as serving
from minitape_cli.serving.access import AccessRules
from minitape_cli.serving.board import Board
from minitape_cli.serving.server import Server

SECRET = "the user's numbers"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: str


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(Board(shell("lesson.py", 0, message=SECRET))) as server:
        yield server


def sent(server: Server, data: bytes, within: float = 10) -> bytes:
    """Return the response to these bytes."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=within) as line:
        try:
            line.sendall(data)
            return b"".join(iter(lambda: line.recv(65536), b""))
        except ConnectionError:  # the server closed the connection while we were still sending
            return b""


def requested(server: Server, path: str = "", method: str = "GET", **headers: str) -> Answer:
    """Return the response to a request behind the secret, as the page's own browser sends it; `headers` replace its headers."""
    own = {"Host": f"127.0.0.1:{server.server_port}", "Sec-Fetch-Site": "same-origin"}
    given = own | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{name}: {value}" for name, value in given.items() if value]
    where = path if path.startswith("/") else urlsplit(server.exit_path.address).path + path
    return parsed(
        sent(server, "\r\n".join([f"{method} {where} HTTP/1.1", *lines, "", ""]).encode())
    )


def parsed(data: bytes) -> Answer:
    head, _, body = data.decode().partition("\r\n\r\n")
    first, *lines = head.splitlines()
    pairs = (line.partition(": ") for line in lines)
    return Answer(int(first.split()[1]), {name: value for name, _, value in pairs}, body)


# --- accepted requests ---


def test_page_is_served_and_not_cached(server: Server) -> None:
    answer = requested(server)
    assert answer.status == 200
    assert SECRET.replace("'", "&#x27;") in answer.body
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert not any(name.startswith("Access-Control") for name in answer.headers)
    assert "Server" not in answer.headers


def test_page_is_sent_with_its_own_security_policy(server: Server) -> None:
    answer = requested(server)
    rules = answer.headers["Content-Security-Policy"].split("; ")
    assert rules[0] == "default-src 'none'"
    assert "connect-src 'self'" in rules
    assert "frame-ancestors 'none'" in rules
    assert any(rule.startswith("script-src 'sha256-") for rule in rules)
    assert "; ".join(rules[:-1]) in answer.body


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_both_names_of_this_computer_are_accepted(server: Server, name: str) -> None:
    host = f"{name}:{server.server_port}"
    assert requested(server, Host=host, Origin=f"http://{host}").status == 200


def test_typed_in_address_is_accepted(server: Server) -> None:
    assert requested(server, Sec_Fetch_Site="none").status == 200
    assert (
        requested(server, Sec_Fetch_Site="").status == 200
    )  # an older browser does not send the header


def test_server_listens_only_on_this_computer(server: Server) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"


# --- rejected requests ---


def is_refused(answer: Answer, status: int) -> bool:
    nothing = not answer.body and set(answer.headers).isdisjoint({"Location", "Content-Type"})
    return nothing and answer.status == status


@pytest.mark.parametrize("path", ["", "news?after=-1"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},  # a foreign name that resolves to this computer
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:{port}.evil.example"},
        {"Host": "[::1]:{port}"},
        {"Host": ""},
        {"Host": "127.0.0.1:{port}\r\nHost: evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost:{port}"},  # this computer by its other name is another origin
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},  # another port of this computer
    ],
)
def test_other_hosts_and_origins_are_rejected(
    server: Server, path: str, headers: dict[str, str]
) -> None:
    given = {name: value.format(port=server.server_port) for name, value in headers.items()}
    assert is_refused(requested(server, path, **given), 403)
    assert requested(server).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/news",
        "/favicon.ico",
        "/token/",
        "/{token}",
        "/{token}x/",
        "/{less}/",
        "/{token}/../",
        "/{token}/../../etc/passwd",
        "/{token}/%2e%2e/%2e%2e/etc/passwd",
        "/{token}/..%2f..%2fetc/passwd",
        "/{token}/lesson.py",
        "/{token}//",
        "/%2e/{token}/",
        "/../../../../etc/passwd",
        "/..\\..\\windows\\win.ini",
        "/{token}/\u00e9",
        "http://evil.example/{token}/",
        "*",
    ],
)
def test_requests_without_the_secret_or_for_other_paths_are_rejected(
    server: Server, path: str
) -> None:
    token = server.exit_path.address.split("/")[3]
    request = f"GET {path.format(token=token, less=token[:-1])} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n"
    assert is_refused(parsed(sent(server, request.encode())), 404)


def test_each_server_has_its_own_secret() -> None:
    addresses = {urlsplit(AccessRules(1).address).path for _ in range(3)}
    assert len(addresses) == 3
    assert all(len(path) >= 32 for path in addresses)


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_only_get_is_allowed(server: Server, method: str) -> None:
    assert is_refused(requested(server, method=method), 405)


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n",
        # https; this request never ends, so the server waits for its rest
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", marks=pytest.mark.whole),
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9.9\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nA: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 1000 + b"\r\n",
        b"GET / HTTP/1.1\r\nno header at all\r\n\r\n",
        b"\xff\xfe\x00" * 1000 + b"\r\n\r\n",
    ],
    ids=["nothing", "tls", "no path", "version", "path", "header", "headers", "words", "noise"],
)
def test_invalid_request_is_rejected_without_harm(
    server: Server, data: bytes, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.setattr(serving._Answers, "timeout", 0.5)
    assert SECRET.encode()[:8] not in sent(server, data)
    assert requested(server).status == 200
    assert capfd.readouterr() == ("", "")


def test_slow_client_is_disconnected_without_delaying_others(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_LIFE", 1.0)
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        begun = time.monotonic()
        assert requested(server).status == 200
        with pytest.raises(ConnectionError):  # whichever character is the last
            while time.monotonic() < begun + 10:
                slow.sendall(b"A")  # never silent for long
                time.sleep(0.05)
        assert time.monotonic() < begun + 5


def opened(server: Server, count: int, data: bytes = b"G") -> list[socket.socket]:
    """Connections that send the beginning of a request, and then nothing."""
    lines = []
    for _ in range(count):
        lines.append(socket.create_connection(("127.0.0.1", server.server_port), timeout=10))
        lines[-1].sendall(data)
    return lines


def is_ended(line: socket.socket) -> bool:
    """Wait until the server closes a connection; return whether it did."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


def close(lines: list[socket.socket]) -> None:
    for line in lines:
        line.close()


def test_many_idle_connections_do_not_block_a_reader(server: Server) -> None:
    """Each new connection replaces the oldest that has not requested the page."""
    lines = opened(server, 2 * serving._MOST)
    assert requested(server).status == 200
    assert len(server._open) <= serving._MOST
    assert all(is_ended(line) for line in lines[: serving._MOST])
    close(lines)


def test_page_waiting_for_updates_is_not_disconnected(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_MOST", 4)
    is_let_in = threading.Event()
    really = server.let_in

    def let_in(request: socket.socket) -> None:
        really(request)
        is_let_in.set()

    monkeypatch.setattr(server, "let_in", let_in)
    answers: list[dict[str, Any]] = []
    waiting = threading.Thread(target=lambda: answers.append(news(server, 0)))
    waiting.start()
    assert is_let_in.wait(10)
    lines = opened(server, 8)
    assert all(is_ended(line) for line in lines[:5])
    server.board.say("line 3: NameError")
    waiting.join(10)
    assert answers == [{"state": 1, "page": 0, "message": "line 3: NameError"}]
    close(lines)


def test_oldest_connection_is_closed_if_all_are_accepted(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_MOST", 2)
    let_in: queue.Queue[socket.socket] = queue.Queue()
    really = server.let_in

    def noted(request: socket.socket) -> None:
        really(request)
        let_in.put(request)

    monkeypatch.setattr(server, "let_in", noted)
    path = urlsplit(server.exit_path.address).path
    ask = f"GET {path}news?after=0 HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n"
    lines = []
    for _ in range(3):
        lines += opened(server, 1, ask.encode())
        let_in.get(timeout=10)
    assert is_ended(lines[0])
    close(lines)


def test_request_sent_byte_by_byte_is_ended_at_the_time_limit(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_REQUEST_SECONDS", 0.3)
    (line,) = opened(server, 1, b"GET / HTTP/1.1\r\n")
    line.settimeout(0.05)
    until = time.monotonic() + 10
    sent_bytes = 0
    while time.monotonic() < until:
        try:
            line.sendall(b"x")
            sent_bytes += 1
            if line.recv(1) == b"":
                break
        except TimeoutError:
            continue
        except ConnectionError:
            break
    assert time.monotonic() < until
    assert sent_bytes > 1
    line.close()


@pytest.mark.parametrize(
    "large",
    [
        b"GET / HTTP/1.1\r\nHost: " + b"x" * 10**6,
        b"GET /" + b"x" * 10**6,
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10**5,
    ],
    ids=["a header", "an address", "many headers"],
)
def test_request_size_is_limited(
    server: Server, large: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    received = 0
    really = serving._Request.readinto

    def readinto(self: Any, buffer: Any) -> int:
        nonlocal received
        count = really(self, buffer)
        received += count
        return count

    monkeypatch.setattr(serving._Request, "readinto", readinto)
    answer = sent(server, large)
    assert received <= serving._REQUEST_BYTES
    assert SECRET.encode() not in answer
    assert requested(server).status == 200


def test_request_body_is_not_read(server: Server) -> None:
    path = urlsplit(server.exit_path.address).path
    host = f"127.0.0.1:{server.server_port}"
    for method, status in (("POST", b"405"), ("GET", b"200")):
        head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {10**12}\r\n\r\n"
        (line,) = opened(server, 1, head.encode())
        line.settimeout(serving._REQUEST_SECONDS / 2)
        assert line.recv(4096).startswith(b"HTTP/1.0 " + status)
        line.close()
    assert requested(server).status == 200


def test_client_that_never_reads_is_disconnected(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page does not fit into the system's buffer for a connection, so it is not sent completely."""
    monkeypatch.setattr(serving, "_ANSWER_SECONDS", 0.3)
    is_over = threading.Event()
    really = server.shutdown_request

    def shutdown_request(request: Any) -> None:
        really(request)
        is_over.set()

    monkeypatch.setattr(server, "shutdown_request", shutdown_request)
    server.board.put_up(shell("lesson.py", 1, message="x" * 30_000_000))
    path = urlsplit(server.exit_path.address).path
    ask = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n"
    (line,) = opened(server, 1, ask.encode())
    assert is_over.wait(10)
    line.close()


# --- updates ---


def wait_until(holds: Callable[[], bool]) -> None:
    last = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < last
        time.sleep(0.01)


def news(server: Server, after: object) -> dict[str, Any]:
    return dict(json.loads(requested(server, f"news?after={after}").body))


def test_updates_are_sent_immediately_to_all_waiting_pages(server: Server) -> None:
    answers: list[dict[str, Any]] = []
    waiting = [threading.Thread(target=lambda: answers.append(news(server, 0))) for _ in range(2)]
    for each in waiting:
        each.start()
    wait_until(lambda: len(server.board._changed._waiters) == 2)  # type: ignore[attr-defined]  # both are held
    assert answers == []
    server.board.put_up(shell("lesson.py", 1, message="later"))
    for each in waiting:
        each.join(10)
    assert answers == [{"state": 1, "page": 1, "message": ""}] * 2
    assert "later" in requested(server).body


def test_status_message_keeps_the_page(server: Server) -> None:
    server.board.say("line 3: NameError")
    assert news(server, 0) == {"state": 1, "page": 0, "message": "line 3: NameError"}


def test_waiting_ends_after_a_time_without_updates(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_HELD", 0.2)
    assert news(server, 0)["state"] == 0


@pytest.mark.parametrize("after", ["", "x", "9" * 5000, "1&x=2", "²"])
def test_malformed_update_request_gets_the_current_state(server: Server, after: str) -> None:
    assert parsed(sent(server, raw(server, after))).status == 200


def raw(server: Server, after: str) -> bytes:
    where = urlsplit(server.exit_path.address).path
    return f"GET {where}news?after={after} HTTP/1.1\r\nHost: localhost:{server.server_port}\r\n\r\n".encode()


# --- the end ---


def test_stopped_server_leaves_no_thread_or_socket(server: Server) -> None:
    threads = threading.active_count()
    with Server(Board("")) as other:
        port = other.server_port
        line = socket.create_connection(("127.0.0.1", port))
        wait_until(
            lambda: threading.active_count() >= threads + 2
        )  # the server's, and that of the connection
    assert line.recv(1) == b""
    line.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    wait_until(lambda: threading.active_count() == threads)


def test_port_can_be_chosen_and_is_not_shared() -> None:
    with Server(Board("")) as first:
        make: Callable[[], Server] = lambda: Server(Board(""), first.server_port)  # noqa: E731
        with pytest.raises(OSError, match="in use"):
            make()
