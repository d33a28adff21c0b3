"""The lines that move into a `with` block, and whether they can be moved."""

from minitape.explain.flow.program.moving import (
    is_in_same_function,
    lines_after,
    lines_to_move,
    loop_around_block,
)

_PROGRAM = """\
a = w * 2.0
b = a + 1.0
c = v * 3.0
with tf.GradientTape() as tape:
    y = b * b
z = y + 1.0
u = 5.0
t = z * u


def helper():
    return a * a


for x in xs:
    with tf.GradientTape() as inner:
        q = w * x
p = q + 1.0
"""


def test_lines_before_the_block_move_with_their_readers() -> None:
    assert lines_to_move(_PROGRAM, [1], 4) == [1, 2]
    assert lines_to_move(_PROGRAM, [3], 4) == [3]


def test_all_lines_after_the_block_move_up_to_the_last_one() -> None:
    assert lines_after(_PROGRAM, 8, 4) == [6, 7, 8]
    assert lines_after(_PROGRAM, 6, 4) == [6]
    assert lines_after(_PROGRAM, 12, 4) == []


def test_line_of_another_function_is_not_in_the_block() -> None:
    assert is_in_same_function(_PROGRAM, 8, 4)
    assert not is_in_same_function(_PROGRAM, 12, 4)
    assert not is_in_same_function(_PROGRAM, 8, 3)


def test_loop_around_the_block_is_found_for_lines_outside_of_it() -> None:
    assert loop_around_block(_PROGRAM, 18, 16) == 15
    assert loop_around_block(_PROGRAM, 17, 16) is None
    assert loop_around_block(_PROGRAM, 8, 4) is None
