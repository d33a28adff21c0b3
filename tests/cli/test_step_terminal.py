"""`minitape step` in a real terminal, driven by keys: tmux is the terminal."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from terminals import Screen

pytestmark = pytest.mark.one_in(5)

STEPS = """\
import minitape as tf

w = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = w * w  # [/] [bold red]
    loss = tf.square(y)
slope = tape.gradient(loss, w)
"""

LOST = """\
import numpy as np
import minitape as tf

w = tf.Variable(3.0)
with tf.GradientTape() as tape:
    q = np.sin(w)
    loss = tf.square(q)
slope = tape.gradient(loss, w)
"""


Opener = Callable[..., Screen]


@pytest.fixture
def open_stepper(write_script: Callable[[str], Path], tmp_path: Path) -> Iterator[Opener]:
    screens: list[Screen] = []

    def open_stepper(text: str = STEPS, width: int = 100, height: int = 30, **env: str) -> Screen:
        name = f"minitape-{os.getpid()}-{tmp_path.name}"
        screens.append(Screen(["step", str(write_script(text))], name, width, height, **env))
        return screens[-1]

    yield open_stepper
    for screen in screens:
        screen.close()


def test_keys_move_through_the_run_and_back(open_stepper: Opener) -> None:
    screen = open_stepper()
    screen.shows("1 / 10", "> 3  w = tf.Variable(3.0)", "forward ■□")
    screen.press("Right", "Right")
    screen.shows("3 / 10", "#1 Mul", "keeps     w", "> 5      y = w * w")
    screen.press("Left")
    screen.shows("2 / 10", "tape opens")
    screen.press("b")
    screen.shows("seed", "the backward pass starts here", "backward ■■□□□")
    screen.press("Right", "Right")
    screen.shows("#1 Mul, backward", "step 2 of 2", "∂loss/∂w  += 18.0 × 3.0 = 54.0", "(1 of 2)")
    screen.press("t")
    screen.shows("∂loss/∂w is the sum of 2 terms", "+ 54.0", "= 108.0")
    screen.press("Escape")
    screen.press("/", "square", "Enter")
    screen.shows("#2 Square")
    screen.press(":", "7", "Enter")
    screen.shows("> 7  slope = tape.gradient(loss, w)")
    screen.press("?")
    screen.shows("next, previous problem")


def test_problem_is_found_explained_and_drawn(open_stepper: Opener) -> None:
    screen = open_stepper(LOST)
    screen.shows("1 / ", "!6      q = np.sin(w)")
    screen.press("n")
    screen.shows(
        "left the engine",
        "! value leaves the tape here: NumPy operations are",
        "not recorded (MT201)",
    )
    screen.press("w")
    screen.shows("∂loss/∂w = None", "try  use `tf.sin(w)` instead of `np.sin(w)`")
    screen.press("g")
    screen.shows("graph · ", "[Square] not recorded")


def test_fast_keys_are_all_processed(open_stepper: Opener) -> None:
    screen = open_stepper()
    screen.shows("1 / 10")
    for _ in range(8):
        screen.press("Right")
    screen.shows("9 / 10")


def test_resized_terminal_is_redrawn_at_once(open_stepper: Opener) -> None:
    screen = open_stepper(width=160)
    screen.shows("1 / 10", "╮╭─ what changed")
    screen.resize(100, 30)
    screen.shows("╮╭─ now", "│╭─ what changed", without=["╮╭─ what changed"])
    screen.resize(60, 20)
    narrow = screen.shows("\n╭─ now", "1 / 10")
    assert max(map(cell_len, narrow.splitlines())) <= 60


@pytest.mark.parametrize(("width", "height"), [(60, 20), (100, 30), (200, 50)])
def test_every_step_fits_its_terminal(open_stepper: Opener, width: int, height: int) -> None:
    """Each panel is closed on the right, and the last line shows the keys."""
    screen = open_stepper(width=width, height=height)
    for step in range(1, 11):
        lines = screen.shows(f" {step} / 10", " → next").splitlines()
        assert all(line.endswith(("╮", "│", "╯")) for line in lines[:-2])
        assert {cell_len(line) for line in lines[:-2]} == {width}
        assert lines[-1].startswith(" → next")
        screen.press("Right")


@pytest.mark.parametrize("key", ["q", "C-c"])
def test_terminal_is_restored(open_stepper: Opener, key: str) -> None:
    screen = open_stepper()
    screen.shows("1 / 10")
    screen.press(key)
    after = screen.shows("ended with 0", "icanon")
    assert after.startswith("hello")
    assert "╭" not in after
    assert {"echo", "icanon"} <= set(after.split())


def test_terminal_is_restored_after_an_internal_error(
    open_stepper: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that breaks the screen is loaded before the command."""
    (tmp_path / "sitecustomize.py").write_text(
        "import minitape_cli.stepping as s\ns.StepperSession.press = lambda *_: 1 / 0\n"
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    screen = open_stepper(PYTHONPATH=path)
    screen.shows("1 / 10")
    screen.press("x")
    after = screen.shows("ended with 70", "ZeroDivisionError", "icanon")
    assert {"echo", "icanon"} <= set(after.split())


def test_no_color_setting_removes_colors(open_stepper: Opener) -> None:
    screen = open_stepper(NO_COLOR="1")
    screen.shows("1 / 10")
    assert "\x1b[" not in screen.text("-e")


def test_colors_are_the_default(open_stepper: Opener) -> None:
    screen = open_stepper()
    screen.shows("1 / 10")
    assert "\x1b[" in screen.text("-e")


def test_user_text_in_brackets_is_shown_unchanged(open_stepper: Opener) -> None:
    screen = open_stepper()
    screen.shows("# [/] [bold red]")


def test_executed_part_of_a_long_line_is_visible(open_stepper: Opener) -> None:
    factors = "w * w * w * w * w * w * w * w * w * w"
    screen = open_stepper(
        f"import minitape as tf\nw = tf.Variable(1.0)\ny = {factors} * tf.sin(w)\n"
    )
    screen.shows("1 / ")
    screen.press("/", "#10", "Enter")
    shown = screen.shows("11 / 12")
    assert "tf.sin(w)" in next(line for line in shown.splitlines() if "> 3" in line)[:45]


MATRIX = """\
import minitape as tf

x = tf.constant([[0.0, 0.0, 0.5], [0.0, 0.0, 2.0]])
w = tf.Variable(tf.ones([3, 2]))
with tf.GradientTape() as tape:
    y = x @ w
    loss = tf.reduce_sum(y * y)
slope = tape.gradient(loss, w)
"""


def test_element_is_selected_and_followed(open_stepper: Opener) -> None:
    screen = open_stepper(MATRIX)
    screen.shows("1 / ")
    screen.press("/", "MatMul,", "Enter")
    screen.shows("#1 MatMul, backward")
    screen.press("e")
    screen.shows("element: _   of ∂loss/∂w [3, 2]")
    screen.press("2,1", "Enter")
    screen.shows("∂loss/∂w[2,1] = 8.5", "x[0,2]·∂loss/∂y[0,1]", "0.5·1.0", "= 0.5", "= 8.0")
    screen.press("2")
    screen.shows(
        "∂loss/∂y[1,1] = 4.0", "the sum of the contributions of 2 steps", "contribution of #2 Mul"
    )
    screen.press("Left")
    screen.shows("∂loss/∂w[2,1] = 8.5")
    screen.press("b")
    screen.shows("x[1,2] = 2.0", "its history begins here")
    screen.press("Escape")
    screen.shows("#1 MatMul, backward", "> 6      y = x @ w")
