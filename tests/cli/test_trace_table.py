"""The tables of `minitape trace`: what their rows say, and what gives way where it is narrow."""

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
    """Its lines with one blank where the columns have many."""
    return [" ".join(line.split()) for line in text.splitlines()]


@pytest.fixture
def table(minitape: Any, written: Any) -> list[str]:
    return rows(minitape("trace", written(DETOUR)).stdout)


def test_the_headline_counts_the_problems(table: list[str]) -> None:
    """One cause, though it is told for each gradient that it spoils."""
    assert table[0] == "lesson.py 1 tape · 4 ops · 2 variables · 1 gradient call · 1 problem"


def test_a_way_out_that_costs_a_gradient_has_a_sign(table: list[str]) -> None:
    assert "! 10 q = np.sin(w) left the engine w via np.sin" in table


def test_what_came_back_has_no_history(table: list[str]) -> None:
    at = next(i for i, row in enumerate(table) if row.startswith("! 12 loss = z * q re-entered w"))
    assert table[at + 1] == "#4 Mul z, q 10.07 q: no history"


def test_the_walk_back_follows_the_word_that_forward_is_done(table: list[str]) -> None:
    at = next(i for i, row in enumerate(table) if row.startswith("backward pass of "))
    assert table[at].startswith("backward pass of tape.gradient(loss, [x, w]) on line 13 ─")
    assert table[at + 1] == "step op line gradient in rule sent to contribution"


def test_a_variable_that_is_used_twice_has_two_amounts_and_their_sum(table: list[str]) -> None:
    """0.4794 · 4, and then 0.4794 · 2x more."""
    amounts = [row.split(" x ")[-1] for row in table if "of 2)" in row]
    assert amounts == ["+1.918 (1 of 2)", "+2.877 (2 of 2) = 4.794"]


def test_a_lost_gradient_comes_with_its_line_and_what_to_write(table: list[str]) -> None:
    assert "✓ d loss / d x = 4.794" in table
    lost = next(i for i, row in enumerate(table) if row.startswith("✗ d loss / d w = None line 10"))
    assert table[lost + 1 : lost + 3] == ["(MT201)", "try: use `tf.sin(w)` instead of `np.sin(w)`"]


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
def test_columns_give_way_from_the_right(
    minitape: Any, written: Any, monkeypatch: pytest.MonkeyPatch, width: int, missing: set[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = minitape("trace", written(DETOUR)).stdout
    assert max(map(cell_len, text.splitlines())) <= width
    could = {"source", "inputs", "keeps", "rule", "gradient in"}
    assert {word for word in could if word not in text} == missing


def test_a_wide_terminal_shows_long_lines_whole(
    minitape: Any, written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "y = w * w * w * w * w * w * w * w * w * w * w * w * w"
    script = written(f"import minitape as tf\nw = tf.Variable(1.0)\n{line}\n")
    monkeypatch.setenv("COLUMNS", "200")
    assert line in minitape("trace", script).stdout
    monkeypatch.setenv("COLUMNS", "100")
    assert line not in minitape("trace", script).stdout


def test_a_loop_of_four_hundred_is_one_line_for_each_op(minitape: Any, written: Any) -> None:
    script = written(
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
def test_words_in_brackets_stand_as_they_were_written(
    minitape: Any, written: Any, color: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    text = minitape("trace", written(HOSTILE), "--color", color).stdout
    assert "y = loss * loss # [/] [loss, x] [bold] ·[31m" in " ".join(text.split())
    assert "tape.gradient(y, [loss, loss]) on line 6" in text


def test_a_pipe_gets_no_escapes(minitape: Any, written: Any) -> None:
    assert "\x1b" not in minitape("trace", written(HOSTILE)).stdout


def test_a_call_that_raised_says_so(minitape: Any, lost: Path) -> None:
    lost.write_text(lost.read_text() + "tape.gradient(loss, w)\n")
    ran = minitape("trace", lost, "--as-tensorflow")
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


def test_a_pipe_gets_sources_and_ranges_in_full(minitape: Any, written: Any) -> None:
    said = minitape("trace", written(LONG)).stdout
    assert "parts = tf.split(tf.square(first_layer_kernel) * first_laye…" in said  # 60 letters
    assert "[30,3] -0.1235..0.3457" in said
    assert "#1, first_layer_kernel  " in said
    ranges = [row for row in rows(said) if ".." in row]
    assert len(ranges) > 10
    assert not any("…" in row.partition("] ")[2] for row in ranges)


def test_of_many_tensors_a_pipe_gets_the_first_and_a_count(minitape: Any, written: Any) -> None:
    """The value of `split`: ten tensors of the same range."""
    (row,) = [row for row in rows(minitape("trace", written(LONG)).stdout) if "SplitV" in row][:1]
    assert row.endswith("and 8 more")


def test_a_file_gets_the_same_table_as_a_pipe(minitape: Any, written: Any, tmp_path: Path) -> None:
    script, to = written(LONG), tmp_path / "trace.txt"
    minitape("trace", script, "-o", to)
    assert to.read_text(encoding="utf-8") == minitape("trace", script).stdout


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_a_terminal_keeps_the_ranges_longest(
    width: int, minitape: Any, written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The source and the names give way to them."""
    monkeypatch.setenv("COLUMNS", str(width))
    said = minitape("trace", written(LONG)).stdout
    assert "[30,3] -0.1235..0.3457" in said
    assert max(map(cell_len, said.splitlines())) <= width
