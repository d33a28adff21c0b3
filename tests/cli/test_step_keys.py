"""What each key does, and how keys are decoded from the terminal's input."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from traced import VANISHING

from minitape import __version__
from minitape.explain.explain import explain
from minitape.run.options import RunOptions
from minitape.terms import Expansions
from minitape.timeline import build_timeline, moves
from minitape.timeline.norms import norms_over_time
from minitape_cli.console import Symbols
from minitape_cli.keys import Keyboard, names
from minitape_cli.running import record
from minitape_cli.stepping import HELP, Pane, StepperSession
from minitape_cli.views.stepper import stepper

ITERATIONS = """\
import numpy as np
import minitape as tf

w = tf.Variable(2.0)
for step in range(3):
    with tf.GradientTape() as tape:
        y = w * w
    tape.gradient(y, w)
with tf.GradientTape() as tape:
    z = tf.constant(np.sin(w))
tape.gradient(z, w)
"""


@pytest.fixture
def session(write_script: Any) -> StepperSession:
    return stepped(ITERATIONS, write_script)


def stepped(text: str, write_script: Any) -> StepperSession:
    ran = record(write_script(text), run_options=RunOptions(max_ops=1000))
    timeline = build_timeline(ran.trace, explain(ran.trace))
    return StepperSession(
        timeline,
        moves(timeline),
        lambda call, _: f"call {call}",
        lambda at: f"at {at}",
        lambda: Expansions(ran.trace, timeline),
        lambda: norms_over_time(ran.trace, explain(ran.trace)),
    )


def press(session: StepperSession, *keys: str) -> StepperSession:
    for key in keys:
        session.press(key)
    return session


def shown(session: StepperSession, width: int = 120, height: int = 40) -> str:
    """The screen, as text."""
    out = io.StringIO()
    signs = Symbols("✂", "✗", "~", "✓", "→", "×", "…")
    screen = stepper(session, signs, width=width, height=height)
    Console(file=out, width=width, height=height).print(screen)
    return out.getvalue()


def lines(session: StepperSession, *keys: str) -> list[int]:
    """Return the line to which each key leads."""
    return [press(session, key).step.location.line for key in keys]  # type: ignore[union-attr]  # all have one


def test_arrows_move_one_step_and_stop_at_the_ends(session: StepperSession) -> None:
    assert press(session, "right", "right", "left").index == 1
    assert press(session, "left", "left").index == 0
    assert session.message == "this is the first step"
    assert press(session, "end").index == len(session.timeline.steps) - 1
    assert press(session, "right").message == "this is the last step"
    assert press(session, "home").index == 0


def test_b_cycles_through_the_backward_passes(session: StepperSession) -> None:
    seeds = [press(session, "b").index for _ in range(5)]
    assert all(session.timeline.steps[at].kind == "seed" for at in seeds)
    assert seeds[4] == seeds[0]
    assert len(set(seeds)) == 4


def test_shift_moves_between_iterations_of_a_line(session: StepperSession) -> None:
    op = next(step.index for step in session.timeline.steps if step.what == "Mul")
    session.index = op
    iterations = [press(session, "shift-right").step.visit for _ in range(3)]
    assert iterations == [2, 3, 3]
    assert "last run" in session.message
    assert press(session, "[", "[").index == op


def test_down_moves_from_an_op_to_its_backward_step(session: StepperSession) -> None:
    session.index = next(step.index for step in session.timeline.steps if step.what == "Mul")
    assert press(session, "down").step.what == "Mul, backward"
    assert press(session, "up").step.what == "Mul"


def test_f_moves_to_the_first_step_of_this_call(session: StepperSession) -> None:
    press(session, "b", "b", "f")
    assert session.call is not None
    assert session.call.number == 2
    assert session.timeline.steps[session.index - 1].call == 1


def test_n_moves_between_problems_in_both_directions(session: StepperSession) -> None:
    first, second, again = (press(session, "n").index for _ in range(3))
    assert session.timeline.steps[first].problem
    assert (first < second, again) == (True, first)
    assert press(session, "N").index == second


def test_colon_moves_to_the_next_step_of_a_line(session: StepperSession) -> None:
    press(session, ":", "7", "enter")
    assert session.step.location is not None
    assert (session.step.location.line, session.step.visit) == (7, 1)
    assert press(session, ":", "enter").step.kind == "back"


def test_search_moves_to_a_match_or_reports_that_there_is_none(session: StepperSession) -> None:
    assert press(session, "/", *"sin", "enter").step.note == "via np.sin"
    at = session.index
    press(session, "/", *"nowhere", "enter")
    assert (session.index, session.message) == (at, "nowhere: no step contains it")


def test_letters_after_a_prompt_are_not_commands(session: StepperSession) -> None:
    press(session, "/", "q", "b", "backspace", "n")
    assert (session.typed, session.is_over, session.index) == ("qn", False, 0)
    press(session, "escape")
    assert session.prompt == ""


def test_pane_opens_scrolls_and_closes(session: StepperSession) -> None:
    assert press(session, "g").pane is Pane.GRAPH
    assert press(session, "down", "down", "up").scroll == 1
    assert press(session, "q").pane is Pane.STEP
    assert not session.is_over
    assert press(session, "?", "?").pane is Pane.STEP


def test_pane_scrolls_by_a_page(session: StepperSession) -> None:
    press(session, "g")
    assert [press(session, key).scroll for key in ("pagedown", "pagedown", "pageup")] == [
        10,
        20,
        10,
    ]


def test_moving_closes_the_pane(session: StepperSession) -> None:
    assert press(session, "g", "right").pane is Pane.STEP
    assert session.index == 1


def test_why_needs_a_problem(session: StepperSession) -> None:
    assert press(session, "w").pane is Pane.STEP
    assert session.message == "this gradient call has no problems"
    assert press(session, "n", "w").pane is Pane.WHY
    assert [answer.code for answer in session.wrong] == ["MT201"]


def test_terms_belong_to_the_gradient_of_the_step(session: StepperSession) -> None:
    """y = w·w: w gets a contribution for each of its two uses."""
    press(session, "b", "right", "t")
    assert session.pane is Pane.TERMS
    assert [term.amount for term in session.terms["∂y/∂w"]] == ["2.0", "2.0"]


def test_status_bar_names_the_gradient_call(session: StepperSession) -> None:
    assert "call 2 of 4" in shown(press(session, "b", "b"))


def test_wide_terminal_shows_the_change_of_a_step_in_the_picture(session: StepperSession) -> None:
    """It shows the new value in `y = w * w`, and no change where a tape opens."""
    assert "nothing" in shown(press(session, "right"), width=180)
    changed = shown(press(session, "right"), width=180)
    assert "is  4.0" in changed and "nothing" not in changed


def test_o_opens_the_page_at_this_step(session: StepperSession) -> None:
    assert press(session, "right", "right", "o").message == "at 2"


ONE_CALL = """\
import minitape as tf

x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.square(x))
tape.gradient(y, x)
"""
SCREENS = (
    (70, ()),
    (120, ("right", "right")),
    (120, ("n",)),
    (160, ("n", "w")),
    (120, ("b",)),
    (150, ("right", "right")),
    (120, ("end",)),
    (120, ("?",)),
    (120, ("?", "down", "down", "escape", "home", "left")),
    (120, ("/", "s", "i")),
)


@pytest.mark.parametrize(("name", "script"), [("loop", ITERATIONS), ("one_call", ONE_CALL)])
def test_screens_match_the_golden_files(
    name: str, script: str, write_script: Any, golden: Callable[[str, str], None]
) -> None:
    """Several widths, steps and panes in turn."""
    session = stepped(script, write_script)
    screens = [
        f"{width} {' '.join(keys)}\n{shown(press(session, *keys), width, 20)}"
        for width, keys in SCREENS
    ]
    text = "\n".join(line.rstrip() for line in "\n".join(screens).splitlines())
    golden(f"commands/stepper-{name}.txt", text.replace(__version__, "VERSION") + "\n")


def test_ctrl_c_exits_even_in_a_prompt(session: StepperSession) -> None:
    assert press(session, "/", "ctrl-c").is_over


def test_every_documented_key_has_an_effect(session: StepperSession) -> None:
    """This is tested in the middle of the run, where every move is possible."""
    named = {"→": "right", "←": "left", "↓": "down", "↑": "up"}
    for keys, _ in HELP:
        for key in keys.split():
            pressed = named.get(key, key.lower() if len(key) > 1 else key)
            pressed = pressed.replace("shift→", "shift-right").replace("shift←", "shift-left")
            here = StepperSession(
                session.timeline,
                session.moves,
                session.draw,
                session.open_page,
                session.ask,
                session.ask_loops,
                12,
            )
            here.pane = Pane.GRAPH if key == "Esc" else Pane.STEP
            before = vars(here) | {"story": None, "moves": None}
            here.press("escape" if key == "Esc" else pressed)
            assert vars(here) | {"story": None, "moves": None} != before, key


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1b[C", ["right"]),
        ("\x1bOC", ["right"]),
        ("\x1b[1;2D", ["shift-left"]),
        ("\x1b[5~\x1b[6~", ["pageup", "pagedown"]),
        ("b\x1b[A/ä", ["b", "up", "/", "ä"]),
        ("\x1b", ["escape"]),
        ("\r\x7f\x03", ["enter", "backspace", "ctrl-c"]),
        ("\xe0M\xe0H", ["right", "up"]),  # Windows
        ("\x1b[99~\x01", []),
    ],
)
def test_input_sequences_decode_to_keys(sent: str, keys: list[str]) -> None:
    assert names(sent) == keys


if sys.platform != "win32":
    import pty
    import termios

    @pytest.fixture
    def terminal_ends(monkeypatch: pytest.MonkeyPatch) -> Any:
        """Both ends of a pseudo-terminal; one of them is stdin."""
        theirs, ours = pty.openpty()
        with Path(os.ttyname(ours)).open() as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            yield theirs, ours
        os.close(theirs)
        os.close(ours)

    def test_keyboard_input_needs_no_enter(terminal_ends: Any) -> None:
        with Keyboard() as keyboard:
            os.write(terminal_ends[0], b"b\x1b[C")
            assert keyboard.read() == ["b", "right"]

    def test_key_that_arrives_in_two_parts_is_one_key(terminal_ends: Any) -> None:
        from threading import Timer

        with Keyboard() as keyboard:
            os.write(terminal_ends[0], b"\x1b[")
            late = Timer(0.01, os.write, (terminal_ends[0], b"C"))
            late.start()
            assert keyboard.read() == ["right"]
            late.join()

    def test_terminal_settings_are_restored(terminal_ends: Any) -> None:
        before = termios.tcgetattr(terminal_ends[1])
        with pytest.raises(ZeroDivisionError), Keyboard():
            assert termios.tcgetattr(terminal_ends[1]) != before
            raise ZeroDivisionError
        assert termios.tcgetattr(terminal_ends[1]) == before


MATRIX = """\
import minitape as tf

x = tf.constant([[0.0, 0.5], [1.0, 2.0]])
w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
with tf.GradientTape() as tape:
    y = tf.matmul(x, w)
    loss = tf.reduce_sum(y * y)
tape.gradient(loss, w)
"""


def at(session: StepperSession, what: str) -> StepperSession:
    session.index = next(step.index for step in session.timeline.steps if step.what == what)
    return session


def test_e_and_an_index_show_the_terms_of_an_element(write_script: Any) -> None:
    session = at(stepped(MATRIX, write_script), "MatMul, backward")
    assert press(session, "e").prompt == "e"
    press(session, *"1,0", "enter")
    assert (session.pane, session.message) == (Pane.ELEMENT, "")
    assert session.following is not None
    assert session.following.expansion.name == "∂loss/∂w[1,0]"
    assert [each.value for each in session.following.terms] == [1.5, 28.0]


def test_term_leads_back_to_the_seed_and_the_inputs(write_script: Any) -> None:
    session = press(at(stepped(MATRIX, write_script), "MatMul, backward"), "e", *"1,0", "enter")
    following = session.following
    assert following is not None
    names = [press(session, key) and following.expansion.name for key in ("1", "1", "1", "1")]
    assert names[0] == "∂loss/∂y[0,0]"
    assert names[-1] == "∂loss/∂loss"
    assert press(session, "1").message == "the trace does not contain that number"
    press(session, "left", "left", "left", "left")
    assert following.expansion.name == "∂loss/∂w[1,0]"
    assert press(session, "left").message == "this is the first number"
    press(session, "b")
    assert following.expansion.name == "x[1,1]"
    press(session, "enter")
    assert (session.pane, session.step.what) == (Pane.STEP, "constant")


def test_any_tensor_of_a_step_can_be_selected_by_name(write_script: Any) -> None:
    session = at(stepped(MATRIX, write_script), "MatMul")
    for typed in ("w 1,0", "w[1,0]", " w  -1,-2 "):
        press(session, "e", *typed, "enter")
        assert session.following is not None
        assert session.following.expansion.name == "w[1,0]"
        press(session, "escape")
    press(session, "e", *"1,1", "enter")
    assert session.following is not None
    assert session.following.expansion.name == "y[1,1]"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("7,0", "its shape is [2, 2], so [7, 0] is out of range"),
        ("1", "its shape is [2, 2]: write an index as 0,0"),
        ("", "its shape is [2, 2]: write an index as 0,0"),
        ("q 1,1", "q: this step has only y, x, w"),
        ("w 1,1 2 x", "w 1,1 2 x: write an element as 2,1 or w 2,1"),
    ],
)
def test_unknown_element_is_reported(write_script: Any, typed: str, said: str) -> None:
    session = press(at(stepped(MATRIX, write_script), "MatMul"), "e", *typed, "enter")
    assert (session.pane, session.message) == (Pane.STEP, said)


def test_scalar_needs_no_index(write_script: Any) -> None:
    session = press(at(stepped(MATRIX, write_script), "Sum"), "e")
    assert (session.pane, session.prompt) == (Pane.ELEMENT, "")
    assert session.following is not None
    assert session.following.expansion.name == "loss"


def test_w_shows_a_note_on_a_call_without_problems(write_script: Any) -> None:
    session = stepped("import minitape as tf\n" + VANISHING, write_script)
    press(session, "w")
    assert session.message == "this gradient call has no problems"
    session.index = session.timeline.calls[1].requested
    press(session, "w")
    assert session.pane is Pane.WHY
    said = shown(session)
    assert "the gradient of `loss` vanishes on its way to the first layers (MT405)" in said
    assert "use `tf.nn.relu` instead of sigmoid" in said
    press(session, "w")
    assert "MT405: the gradient of `loss` vanishes" in shown(session)


TRAINING = """\
import minitape as tf

w = tf.Variable([[8.0, 8.0]])
b = tf.Variable(1.0)
for step in range(12):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w) + b
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.25 * dw)
"""


def test_m_shows_the_iterations_of_a_loop_and_arrows_select_one(write_script: Any) -> None:
    """|dw| halves in each iteration: from 22.6 to 0.011."""
    session = press(stepped(TRAINING, write_script), "b", "m")
    assert session.pane is Pane.MAP
    said = shown(session)
    assert "tape.gradient(loss, [w, b]) · iteration 1 of 12" in said
    assert "w     █▇▇▆▅▅▄▄▃▂▂▁  22.63" in said
    press(session, "right", "right")
    assert (session.pane, session.call and session.call.number) == (Pane.MAP, 3)
    said = shown(session)
    assert "w     █▇▇▆▅▅▄▄▃▂▂▁  5.657" in said
    assert f"│ {' ' * 8}^ " in said  # the third bar
    assert press(session, "end").call is session.timeline.calls[11]
    assert press(session, "enter").pane is Pane.STEP
    assert session.step.kind == "gradient"


def test_m_needs_a_loop_of_eight_iterations(session: StepperSession) -> None:
    assert press(session, "b", "m").pane is Pane.STEP
    assert session.message == "this gradient is not requested in a loop of 8 or more iterations"


def test_n_moves_to_a_note(write_script: Any) -> None:
    session = press(stepped("import minitape as tf\n" + VANISHING, write_script), "n")
    assert session.index == session.timeline.calls[1].requested
    assert "MT405: the gradient of `loss` vanishes" in shown(session)
    assert press(session, "n").index == session.timeline.calls[1].requested


def test_n_stops_once_at_a_note_on_all_iterations_of_a_loop(write_script: Any) -> None:
    text = VANISHING.replace("(2, 10)", "(2, 10, 10, 10, 2, 10)")
    session = stepped("import minitape as tf\n" + text, write_script)
    calls = [call.requested for call in session.timeline.calls]
    assert session.moves.notes == (calls[1], calls[5])
    assert "~" in shown(press(session, "n")).splitlines()[-2]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (200, 50)])
def test_steps_and_map_fill_the_screen(width: int, height: int, write_script: Any) -> None:
    """At most eight lines of the right half are empty at 80 x 24 and 120 x 40; every frame is closed at every size."""
    session = press(stepped(TRAINING, write_script), "b", "right", "right")
    lines = shown(session, width, height).splitlines()
    assert len(lines) == height
    assert {cell_len(line) for line in lines[: height - 2]} == {width}
    right = [line[width // 2 :].strip("│ ╭╮╰╯─") for line in lines[: height - 2]]
    assert "run map · iteration 1 of 12" in "\n".join(lines)
    if width < 140:
        assert sum(not line for line in right) <= 8
    if height > 24:
        assert " steps " in "\n".join(lines)


def test_later_steps_show_only_names_and_gradients_have_bars(write_script: Any) -> None:
    session = press(stepped(TRAINING, write_script), "b", "right", "right")
    said = shown(session)
    (seed,) = [line for line in said.splitlines() if " seed " in line and "█" in line]
    (later,) = [line for line in said.splitlines() if " ∂loss/∂w " in line and "now" not in line][
        -1:
    ]
    assert "1.0" in seed
    assert later.split("∂loss/∂w")[1].strip("│ ") == ""


def test_op_number_keeps_its_zeros(write_script: Any) -> None:
    """This is tested with op 10, on the screen and as text."""
    from minitape_cli.views.stepper import reported

    text = (
        "import minitape as tf\nx = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = x\n"
    )
    text += "    for _ in range(10):\n        y = y * x\n" + "tape.gradient(y, x)\n"
    session = at(stepped(text, write_script), "Mul")
    session.index = next(step.index for step in session.timeline.steps if step.number == "#10")
    assert "#10 Mul " in shown(session).split(" steps ")[1]
    (line,) = reported(session.timeline, [session.step], is_brief=True)
    assert ": #10 Mul " in line
