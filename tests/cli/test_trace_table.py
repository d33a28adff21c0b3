"""The tables of `minitape trace`: the content of their rows, and the parts that are omitted in narrow terminals."""

from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

DETOUR = """\
import numpy as np
import minitape as tf

x = tf.Variable(3.0)
w = tf.Variable(0.5)

with tf.GradientTape() as tape:
    a = x ** 2
    p = x * 4.0
    q = np.sin(w)
    z = a + p
    loss = z * q
gx, gw = tape.gradient(loss, [x, w])
"""

HOSTILE = """\
import minitape as tf

loss = tf.Variable(2.0, name="[bold red]w[/]")
with tf.GradientTape() as tape:
    y = loss * loss  # [/] [loss, x] [bold] \x1b[31m
tape.gradient(y, [loss, loss])
"""


def rows(text: str) -> list[str]:
    """Its lines, with each run of blanks replaced by one."""
    return [" ".join(line.split()) for line in text.splitlines()]


@pytest.fixture
def table(minitape: Any, write_script: Any) -> list[str]:
    return rows(minitape("trace", write_script(DETOUR)).stdout)


def test_headline_counts_the_problems(table: list[str]) -> None:
    """A single cause counts once, although it is reported for each gradient that it affects."""
    assert table[0] == "lesson.py 1 tape · 4 ops · 2 variables · 1 gradient call · 1 problem"


def test_edge_that_loses_a_gradient_is_marked(table: list[str]) -> None:
    assert "! 10 q = np.sin(w) left the engine w via np.sin" in table


def test_value_that_reenters_has_no_history(table: list[str]) -> None:
    at = next(i for i, row in enumerate(table) if row.startswith("! 12 loss = z * q re-entered w"))
    assert table[at + 1] == "#4 Mul z, q 10.07 q: no history"


def test_backward_pass_follows_the_end_of_the_forward_pass(table: list[str]) -> None:
    at = next(i for i, row in enumerate(table) if row.startswith("backward pass of "))
    assert table[at].startswith("backward pass of tape.gradient(loss, [x, w]) on line 13 ─")
    assert table[at + 1] == "step op line gradient in rule sent to contribution"


def test_variable_used_twice_has_two_contributions_and_their_sum(table: list[str]) -> None:
    """The contributions are 0.4794 · 4 and 0.4794 · 2x."""
    amounts = [row.split(" x ")[-1] for row in table if "of 2)" in row]
    assert amounts == ["+1.918 (1 of 2)", "+2.877 (2 of 2) = 4.794"]


def test_none_gradient_is_shown_with_its_line_and_fix(table: list[str]) -> None:
    assert "✓ d loss / d x = 4.794" in table
    none_script = next(
        i for i, row in enumerate(table) if row.startswith("✗ d loss / d w = None line 10")
    )
    assert table[none_script + 1 : none_script + 3] == [
        "(MT201)",
        "try: use `tf.sin(w)` instead of `np.sin(w)`",
    ]


@pytest.mark.parametrize(
    ("width", "missing"),
    [
        (60, {"source", "inputs", "keeps", "rule", "gradient in"}),
        (80, {"inputs", "keeps", "rule"}),
        (95, {"keeps", "rule"}),
        (100, set()),
        (200, set()),
    ],
)
def test_columns_are_dropped_from_the_right(
    minitape: Any, write_script: Any, monkeypatch: pytest.MonkeyPatch, width: int, missing: set[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = minitape("trace", write_script(DETOUR)).stdout
    assert max(map(cell_len, text.splitlines())) <= width
    could = {"source", "inputs", "keeps", "rule", "gradient in"}
    assert {word for word in could if word not in text} == missing


def test_wide_terminal_shows_long_lines_completely(
    minitape: Any, write_script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "y = w * w * w * w * w * w * w * w * w * w * w * w * w"
    script = write_script(f"import minitape as tf\nw = tf.Variable(1.0)\n{line}\n")
    monkeypatch.setenv("COLUMNS", "200")
    assert line in minitape("trace", script).stdout
    monkeypatch.setenv("COLUMNS", "100")
    assert line not in minitape("trace", script).stdout


def test_loop_of_four_hundred_iterations_is_one_line_for_each_op(
    minitape: Any, write_script: Any
) -> None:
    script = write_script(
        """\
        import minitape as tf
        w = tf.Variable(0.9)
        h = tf.constant(1.0)
        with tf.GradientTape() as tape:
            for t in range(400):
                h = tf.tanh(w * h)
        tape.gradient(h, w)
        """
    )
    reported = rows(minitape("trace", script).stdout)
    assert [row.split()[:2] for row in reported if row.startswith("×400")] == [
        ["×400", "6"],
        ["×400", "Tanh"],
        ["×400", "#800"],
        ["×400", "#799"],
    ]


@pytest.mark.parametrize("color", ["never", "always"])
def test_user_text_in_brackets_is_shown_unchanged(
    minitape: Any, write_script: Any, color: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    text = minitape("trace", write_script(HOSTILE), "--color", color).stdout
    assert "y = loss * loss # [/] [loss, x] [bold] ·[31m" in " ".join(text.split())
    assert "tape.gradient(y, [loss, loss]) on line 6" in text


def test_pipe_gets_no_escapes(minitape: Any, write_script: Any) -> None:
    assert "\x1b" not in minitape("trace", write_script(HOSTILE)).stdout


def test_call_that_raised_is_marked(minitape: Any, none_script: Path) -> None:
    none_script.write_text(none_script.read_text() + "tape.gradient(loss, w)\n")
    ran = minitape("trace", none_script, "--as-tensorflow")
    assert ran.exit_code == 3
    assert "RuntimeError: " in ran.stdout


LONG = """\
import minitape as tf

first_layer_kernel = tf.Variable([[-0.123456, 0.234567, 0.345678]] * 30)
with tf.GradientTape() as tape:
    parts = tf.split(tf.square(first_layer_kernel) * first_layer_kernel, 10)
    loss = tf.reduce_sum([tf.reduce_sum(part) for part in parts])
tape.gradient(loss, first_layer_kernel)
"""


def test_pipe_gets_complete_sources_and_ranges(minitape: Any, write_script: Any) -> None:
    said = minitape("trace", write_script(LONG)).stdout
    assert "parts = tf.split(tf.square(first_layer_kernel) * first_laye…" in said  # 60 letters
    assert "[30,3] -0.1235..0.3457" in said
    assert "#1, first_layer_kernel  " in said
    ranges = [row for row in rows(said) if ".." in row]
    assert len(ranges) > 10
    assert not any("…" in row.partition("] ")[2] for row in ranges)


def test_pipe_gets_the_first_of_many_tensors_and_a_count(minitape: Any, write_script: Any) -> None:
    """The value of `split`: ten tensors with the same range."""
    (row,) = [row for row in rows(minitape("trace", write_script(LONG)).stdout) if "SplitV" in row][
        :1
    ]
    assert row.endswith("and 8 more")


def test_file_gets_the_same_table_as_a_pipe(
    minitape: Any, write_script: Any, tmp_path: Path
) -> None:
    script, to = write_script(LONG), tmp_path / "trace.txt"
    minitape("trace", script, "-o", to)
    assert to.read_text(encoding="utf-8") == minitape("trace", script).stdout


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_terminal_drops_the_ranges_last(
    width: int, minitape: Any, write_script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The source and the names are shortened first."""
    monkeypatch.setenv("COLUMNS", str(width))
    said = minitape("trace", write_script(LONG)).stdout
    assert "[30,3] -0.1235..0.3457" in said
    assert max(map(cell_len, said.splitlines())) <= width
