"""`--watch` as users see it: a running command, a saved file, one line for each run."""

import http.client
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from strangers import HOSTILE, escaped_hostile, steering

pytestmark = pytest.mark.one_in(12)

_PATIENCE = 60  # seconds; each run starts a Python

SQUARE = """\
import minitape as tf

w = tf.Variable(3.0)
with tf.GradientTape() as tape:
    loss = w * w
print(tape.gradient(loss, w))
"""


class Watching:
    """The command, its output, and the page that it serves."""

    def __init__(self, *args: object, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "minitape_cli", *map(str, args), "--watch"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"},
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._receive, daemon=True).start()
        self.address = self.line("watching").split(": ", 1)[1].split()[0]

    def _receive(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def line(self, *words: str) -> str:
        """Return the next line, which must contain all the words."""
        line = self._lines.get(timeout=_PATIENCE)
        assert all(word in line for word in words), line
        return line

    def is_silent(self, seconds: float) -> bool:
        time.sleep(seconds)
        return self._lines.empty()

    def get(self, name: str = "") -> str:
        parts = urlsplit(self.address)
        line = http.client.HTTPConnection(parts.hostname or "", parts.port or 0, timeout=_PATIENCE)
        line.request("GET", parts.path + name)
        try:
            return line.getresponse().read().decode()
        finally:
            line.close()

    def news(self) -> dict[str, Any]:
        return dict(json.loads(self.get("news?after=-1")))

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(_PATIENCE)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def temp_folder(tmp_path: Path) -> Path:
    """The command's folder for temporary files."""
    folder = tmp_path / "room"
    folder.mkdir()
    return folder


@pytest.fixture
def start_watching(temp_folder: Path) -> Iterator[Callable[..., Watching]]:
    all_: list[Watching] = []

    def start_watching(*args: object) -> Watching:
        all_.append(Watching(*args, folder=temp_folder))
        return all_[-1]

    yield start_watching
    for each in all_:
        each.close()


def test_each_save_runs_the_script_and_prints_a_line(
    start_watching: Any, write_script: Any, temp_folder: Path
) -> None:
    script = write_script(SQUARE)
    watch = start_watching("html", script)
    watch.line("healthy: 1 gradient call ")
    assert 'data-live="1"' in watch.get()
    script.write_text(SQUARE)
    assert watch.is_silent(1.5)  # the same text is saved
    (script.parent / "new").write_text(SQUARE.replace("w * w", "tf.stop_gradient(w) * 2.0"))
    (script.parent / "new").replace(script)  # as editors do
    watch.line("lesson.py:", "MT2", "w is None")
    assert watch.news() == {"state": 2, "page": 2, "message": ""}
    assert "stop_gradient" in watch.get()
    assert watch.end() == 130
    with pytest.raises(ConnectionRefusedError):
        watch.get()
    assert not list(temp_folder.iterdir())
    assert [each.name for each in script.parent.iterdir() if each.is_file()] == ["lesson.py"]


def test_broken_script_keeps_the_last_good_page(start_watching: Any, write_script: Any) -> None:
    script = write_script(SQUARE)
    watch = start_watching("html", script)
    watch.line("healthy")
    page = watch.get()
    for text, *words in (
        (SQUARE + "x = (\n", "lesson.py, line 7: SyntaxError: '(' was never closed"),
        (SQUARE + "missing\n", "lesson.py, line 7: NameError", "'missing' is not defined"),
        ("print('no tape')\n", "the script ran, but opened no tape."),
    ):
        script.write_text(text)
        said = watch.line(*words).strip()
        news = watch.news()
        assert news["message"] == f"{said}\nThe page shows the last run that succeeded."
        assert news["page"] == 1
        assert watch.get() == page
    script.write_text(SQUARE.replace("3.0", "4.0"))
    watch.line("healthy")
    assert watch.news()["message"] == ""
    assert watch.get() != page


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_unreadable_script_is_reported_and_runs_when_restored(
    start_watching: Any, write_script: Any
) -> None:
    """The script is deleted, or becomes a named pipe, an endless device, a directory, or a file of 10 GB. The process does not
    grow.
    """
    script = write_script(SQUARE)
    watch = start_watching("html", script)
    watch.line("healthy")
    before = psutil.Process(watch.process.pid).memory_info().rss

    def truncated(path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(10 * 2**30)

    for number, (make, said) in enumerate(
        (
            (
                lambda path: None,
                f"{script} was deleted or moved. The script runs again when the file is back.",
            ),
            (os.mkfifo, f"{script}: this is a named pipe, not a regular file."),
            (lambda path: path.symlink_to("/dev/zero"), f"{script}: this is a device, not"),
            (lambda path: path.mkdir(), f"{script}: this is a directory, not a file."),
            (truncated, f"{script}: this file is larger than 100 MB, the limit."),
        )
    ):
        if script.exists():
            script.rename(script.parent / f"before{number}")
        make(script)
        line = watch.line(said).strip()
        news = watch.news()
        assert news["message"] == f"{line}\nThe page shows the last run that succeeded."
        assert news["page"] == 1
    script.write_text(SQUARE)
    watch.line("healthy")
    assert (watch.news()["message"], watch.news()["page"]) == ("", 2)
    assert psutil.Process(watch.process.pid).memory_info().rss < before + 50 * 2**20
    assert watch.end() == 130


def test_script_that_always_raised_is_shown_up_to_the_exception(
    start_watching: Any, write_script: Any
) -> None:
    watch = start_watching("html", write_script(SQUARE + "missing\n"))
    watch.line("NameError", "healthy")
    assert "tape.gradient(loss, w)" in watch.get()
    assert "NameError" in watch.news()["message"]


def test_newer_save_stops_the_current_run(
    start_watching: Any, write_script: Any, temp_folder: Path
) -> None:
    script = write_script("import time\nprint('begun', flush=True)\ntime.sleep(1000)\n")
    watch = start_watching("html", script, "--timeout", 0)
    assert watch.process.stderr.readline() == "begun\n"
    script.write_text(SQUARE)
    watch.line("healthy")
    assert watch.end() == 130
    assert not list(temp_folder.iterdir())


def test_ctrl_c_ends_the_run(start_watching: Any, write_script: Any, temp_folder: Path) -> None:
    script = write_script("import time\nprint('begun', flush=True)\ntime.sleep(1000)\n")
    watch = start_watching("html", script, "--timeout", 0)
    assert watch.process.stderr.readline() == "begun\n"
    assert watch.end() == 130
    assert not list(temp_folder.iterdir())


@pytest.mark.parametrize("after", [0.0, 0.2, 0.5, 1.0])
def test_ctrl_c_ends_a_run_that_is_starting(
    start_watching: Any, write_script: Any, temp_folder: Path, after: float
) -> None:
    watch = start_watching("html", write_script(SQUARE))
    time.sleep(after)
    assert watch.end() == 130
    assert not list(temp_folder.iterdir())


def test_users_module_is_watched(start_watching: Any, write_script: Any) -> None:
    helper = write_script("def loss_of(w):\n    return w * w\n", "helper.py")
    script = write_script(
        SQUARE.replace("loss = w * w", "loss = loss_of(w)").replace(
            "tf\n", "tf\nfrom helper import loss_of\n", 1
        )
    )
    watch = start_watching("html", script)
    watch.line("healthy")
    helper.write_text("import minitape as tf\ndef loss_of(w):\n    return tf.stop_gradient(w)\n")
    watch.line("helper.py", "MT")
    helper.write_text("def loss_of(w)\n")
    watch.line("helper.py, line 1: SyntaxError")
    helper.write_text("def loss_of(w):\n    return w * w * w\n")
    watch.line("healthy")


def test_notebook_is_watched(start_watching: Any, write_script: Any) -> None:
    cells = [{"cell_type": "code", "source": SQUARE}]
    notebook = write_script(json.dumps({"cells": cells}), "lesson.ipynb")
    watch = start_watching("html", notebook)
    watch.line("healthy")
    notebook.write_text("{")
    watch.line("lesson.ipynb is not a notebook.")
    cells[0]["source"] = SQUARE.replace("3.0", "5.0")
    notebook.write_text(json.dumps({"cells": cells}))
    watch.line("healthy")
    assert "5.0" in watch.get()


def test_trace_is_reread_when_it_changes(
    start_watching: Any, minitape: Any, write_script: Any, tmp_path: Path
) -> None:
    script, trace = write_script(SQUARE), tmp_path / "run.jsonl"
    assert minitape("trace", script, "-o", trace).exit_code == 0
    watch = start_watching("html", trace)
    watch.line("healthy")
    whole = trace.read_bytes()
    trace.write_bytes(b"{")
    watch.line("run.jsonl")
    assert watch.news()["page"] == 1
    trace.write_bytes(whole.replace(b"w * w", b"w + w"))
    watch.line("healthy")


def test_picture_is_watched(start_watching: Any, write_script: Any) -> None:
    script = write_script(SQUARE)
    watch = start_watching("graph", script, "--theme", "dark")
    watch.line("healthy")
    page = watch.get()
    assert 'data-theme="dark" data-live="1"' in page
    assert "<svg" in page
    assert "w * w" in page
    script.write_text(SQUARE.replace("w * w", "tf.exp(w)"))
    watch.line("healthy")
    assert "tf.exp(w)" in watch.get()


def test_chosen_port_is_used(start_watching: Any, minitape: Any, write_script: Any) -> None:
    script = write_script(SQUARE)
    first = start_watching("html", script)
    port = urlsplit(first.address).port
    refused = minitape("html", script, "--watch", "--port", port)
    assert refused.exit_code == 2
    assert f"port {port} cannot be used" in refused.stderr
    first.line("healthy")
    assert first.end() == 130
    assert urlsplit(start_watching("html", script, "--port", port).address).port == port


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("html", "{}", "--port", "8000"), "needs `--watch`"),
        (("graph", "{}", "--port", "8000"), "needs `--watch`"),
        (("graph", "{}", "--browse"), "needs `--watch`"),
        (("html", "{}", "--watch", "-o", "a.html"), "use only one of them"),
        (("graph", "{}", "--watch", "-o", "a.svg"), "use only one of them"),
        (("graph", "{}", "--watch", "--format", "png"), "serves SVG only"),
        (("html", "-c", "x = 1", "--watch"), "needs a script in a file"),
        (("html", "missing.py", "--watch"), "no file"),
    ],
)
def test_incompatible_options_are_reported(
    minitape: Any, none_script: Path, args: tuple[str, ...], words: str
) -> None:
    ran = minitape(*(each.format(none_script) for each in args))
    assert ran.exit_code == 2
    assert words in " ".join(ran.stderr.replace("│", " ").split())


def test_server_responses_contain_no_terminal_control_characters(
    start_watching: Any, write_script: Any
) -> None:
    text = SQUARE.replace("loss = w", f'loss = tf.square(w, name="{escaped_hostile()}") + w')
    script = write_script(text.replace("tf\n", f"tf\n# {HOSTILE}\n", 1), "a\x1b[2J\u202e.py")
    watch = start_watching("html", script)
    lines = [watch.line("healthy")]
    sent = [watch.address, watch.get(), watch.get("news?after=-1")]
    script.write_text(text + f'raise ValueError("{escaped_hostile()}")\n')
    lines.append(watch.line("ValueError"))
    sent += [watch.get(), watch.get("news?after=-1"), watch.news()["message"]]
    assert "ValueError: ·[2J" in sent[-1]
    assert [steering(each) for each in (*lines, *sent)] == [[]] * 8
