"""The page of `--watch` in a browser: after an edit of the script, the page stays at its step."""

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytestmark = pytest.mark.one_in(14)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_PATIENCE = 60_000  # milliseconds; each run starts a Python

TRAINING = """\
import minitape as tf

w = tf.Variable(1.0)
for step in range(3):
    with tf.GradientTape() as tape:
        y = w * 3.0
        loss = y * y
    w.assign_sub(0.01 * tape.gradient(loss, w))
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "lesson.py"
    file.write_text(TRAINING)
    return file


@pytest.fixture
def serve_script(script: Path) -> Iterator[Callable[..., str]]:
    """Return a function that starts a watching command and returns its address."""
    started: list[subprocess.Popen[str]] = []

    def serve_script(command: str) -> str:
        run = [sys.executable, "-m", "minitape_cli", command, str(script), "--watch"]
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=quiet, text=True)
        started.append(process)
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        return found[0]

    yield serve_script
    for process in started:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=60)
        finally:
            process.kill()
        assert process.returncode == 130


@pytest.fixture
def tab(browser: "Browser", serve_script: Any) -> Iterator["Page"]:
    """A tab that closes before the server stops, and logs no error until then."""
    context = browser.new_context(viewport={"width": 1360, "height": 820})
    tab = context.new_page()
    tab.set_default_timeout(_PATIENCE)
    faults: list[str] = []
    tab.on("console", lambda said: faults.append(f"{said.type}: {said.text}"))
    tab.on("pageerror", lambda error: faults.append(f"error: {error}"))
    yield tab
    context.close()
    assert not faults


def shows_run(tab: "Page", number: int) -> None:
    tab.wait_for_selector(f"html[data-live='{number}']", state="attached")


def press(tab: "Page", key: str, times: int = 1) -> None:
    for _ in range(times):
        tab.keyboard.press(key)


def facts(tab: "Page") -> str:
    return " ".join((tab.text_content("#facts") or "").split())


def now(tab: "Page") -> Any:
    return tab.text_content("#phase"), re.sub(r"#\d+ ", "", tab.text_content("#what") or "")


def test_edit_updates_the_values_at_the_same_step(
    tab: "Page", serve_script: Any, script: Path
) -> None:
    tab.goto(serve_script("html") + "#1")
    shows_run(tab, 1)
    press(tab, "ArrowRight", 18)
    press(tab, "t")
    assert now(tab) == ("backward · line 7 · step=1 · time 2 of 3", "Mul, backward")
    assert "y = 2.46" in facts(tab)  # w = 1 - 0.01 · 18, times 3
    above = "tf\nc = tf.constant(2.0)\nd = c * c\n"
    script.write_text(TRAINING.replace("3.0", "4.0").replace("tf\n", above, 1))
    shows_run(tab, 2)
    assert now(tab) == ("backward · line 9 · step=1 · time 2 of 3", "Mul, backward")
    assert "y = 2.72" in facts(tab)  # w = 1 - 0.01 · 32, times 4
    assert tab.get_attribute("html", "data-theme") == "dark"
    assert tab.query_selector("#gone") is None


def test_edit_keeps_the_scene_of_the_story(tab: "Page", serve_script: Any, script: Path) -> None:
    tab.goto(serve_script("html"))
    shows_run(tab, 1)
    tab.click("#scenes [data-scene='3']")
    script.write_text(TRAINING.replace("w * 3.0", "w * 5.0"))
    shows_run(tab, 2)
    pressed = tab.locator("#scenes [aria-pressed=true]")
    assert pressed.get_attribute("data-scene") == "3"


def test_removed_step_is_reported_and_the_nearest_is_shown(
    tab: "Page", serve_script: Any, script: Path
) -> None:
    tab.goto(serve_script("html") + "#1")
    shows_run(tab, 1)
    press(tab, "ArrowRight", 18)
    script.write_text(TRAINING.replace("y * y", "tf.exp(y)"))
    shows_run(tab, 2)
    assert now(tab) == ("backward · line 7 · step=1 · time 2 of 3", "Exp, backward")
    assert "(Mul, backward on line 7) no longer exists" in (tab.text_content("#gone") or "")
    press(tab, "ArrowRight")
    assert tab.query_selector("#gone") is None


def test_note_moves_with_its_step(tab: "Page", serve_script: Any, script: Path) -> None:
    tab.goto(serve_script("html") + "#1")
    shows_run(tab, 1)
    press(tab, "ArrowRight", 3)
    tab.fill("#note", "here it is squared")
    script.write_text(
        "# a line\n" + TRAINING.replace("tf\n", "tf\nd = tf.constant(1.0) + 1.0\n", 1)
    )
    shows_run(tab, 2)
    assert now(tab) == ("forward · line 9 · step=0 · time 1 of 3", "Mul")
    assert tab.input_value("#note") == "here it is squared"


def test_broken_script_is_reported_above_the_last_good_page(
    tab: "Page", serve_script: Any, script: Path
) -> None:
    tab.goto(serve_script("html") + "#1")
    shows_run(tab, 1)
    press(tab, "ArrowRight", 3)
    script.write_text(TRAINING.replace("y * y", "y * yy"))
    tab.wait_for_selector("#news:not([hidden])")
    assert "line 7: NameError" in (tab.text_content("#news") or "")
    assert "the last run that succeeded" in (tab.text_content("#news") or "")
    assert "loss = y * y" in (tab.text_content("#code") or "")
    script.write_text(TRAINING.replace("3.0", "5.0"))
    shows_run(tab, 2)
    assert tab.is_hidden("#news")
    assert now(tab)[1] == "Mul"


def test_two_tabs_are_both_updated(
    browser: "Browser", tab: "Page", serve_script: Any, script: Path
) -> None:
    address = serve_script("html") + "#1"
    other = browser.new_page()
    for each in (tab, other):
        each.goto(address)
        shows_run(each, 1)
    press(other, "ArrowRight", 3)
    script.write_text(TRAINING.replace("3.0", "5.0"))
    for each in (tab, other):
        shows_run(each, 2)
    assert now(tab)[1] != now(other)[1] == "Mul"
    other.close()


def test_picture_is_redrawn(tab: "Page", serve_script: Any, script: Path) -> None:
    tab.goto(serve_script("graph"))
    shows_run(tab, 1)
    assert "y * y" in (tab.text_content("svg") or "")
    script.write_text(TRAINING.replace("y * y", "tf.exp(y)"))
    shows_run(tab, 2)
    assert "tf.exp(y)" in (tab.text_content("svg") or "")


class _OtherOrigin(BaseHTTPRequestHandler):
    """A page of another origin, on another port of this computer."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<p>hello</p>")

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture
def other_origin() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _OtherOrigin) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.05,))
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        serving.join()


_READ = """async (where) => {
  const read = async (mode) => { try { return await (await fetch(where, { mode })).text(); } catch { return ""; } };
  return await read("cors") + await read("no-cors");
}"""
_FRAME = """(where) => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.onload = done;
  frame.src = where;
  document.body.append(frame);
})"""


def test_page_of_another_origin_gets_nothing_even_with_the_secret(
    browser: "Browser", serve_script: Any, other_origin: str
) -> None:
    address = serve_script("html")
    tab = browser.new_page()
    answers: list[int] = []
    tab.on("response", lambda each: answers.append(each.status) if each.url == address else None)
    tab.goto(other_origin)
    assert tab.evaluate(_READ, address) == ""
    tab.evaluate(_FRAME, address)
    assert "lesson.py" not in tab.frames[1].content()
    with tab.expect_popup() as popup:
        tab.evaluate("(where) => { window.open(where); }", address)
    popup.value.wait_for_load_state()
    assert "lesson.py" not in popup.value.content()
    assert set(answers) == {403}
    popup.value.close()
    tab.close()
