"""Error messages: each says in the user's terms what is wrong, and what to write instead.

A case is a line as a student would write it, what its error must contain, and the type that TensorFlow raises.
"""

import linecache
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf

INVALID = tf.errors.InvalidArgumentError

CASES: list[tuple[str, type[Exception], str]] = [
    # Mismatched shapes.
    ("x @ w", INVALID, "try : use `x @ tf.transpose(w)`"),
    ("tf.matmul(x, w)", INVALID, "the rows of `x` have 3 entries, but the columns of `w` have 4"),
    ("tf.transpose(x) @ w", INVALID, "try : use `w @ tf.transpose(x)`"),
    ("x @ v", INVALID, "try : use `tf.linalg.matvec(A, x)`"),
    ("pictures @ pictures", INVALID, "try : use `pictures @ tf.linalg.matrix_transpose(pictures)`"),
    ("x + w", INVALID, "axis 0 has size 2 in `x` and 4 in `w`"),
    ("x * rows", INVALID, "try : use `rows[:, tf.newaxis]`, which is a column"),
    ("rows * x", INVALID, "axis -1 has size 2 in `rows` and 3 in `x`"),
    ("x - tf.transpose(x)", INVALID, "axis 1 has size 3 in `x` and 2 in `tf.transpose(x)`"),
    ("tf.add(x, w)", INVALID, "`tf.add`: `x` of shape (2, 3) and `w` of shape (4, 3)"),
    ("tf.maximum(x=x, y=w)", INVALID, "`tf.maximum`: `x` of shape (2, 3) and `w` of shape (4, 3)"),
    ("x > w", INVALID, "`x > w`: `x` of shape (2, 3) and `w` of shape (4, 3)"),
    (
        "tf.where(x > 0, x, w)",
        INVALID,
        "`tf.where`: `x > 0` of shape (2, 3), `x` of shape (2, 3) and `w`",
    ),
    ("tf.concat([x, v], axis=0)", INVALID, "try : use `v[tf.newaxis]` for the value of lower rank"),
    ("tf.concat([x, w], axis=1)", INVALID, "equal on all axes except the axis of concatenation"),
    ("tf.stack([x, w])", INVALID, "try : use `tf.concat([...], axis=0)`"),
    ("tf.broadcast_to(x, [4, 4])", INVALID, "`x` of shape (2, 3) cannot be broadcast to (4,4)"),
    ("tf.reshape(x, [4, 2])", INVALID, "try : use a shape with the product 6"),
    ("tf.reshape(x, [-1, -1])", INVALID, "Only one input size may be -1"),
    (
        "tf.einsum('ij,jk->ik', x, w)",
        INVALID,
        "'j' of the equation 'ij,jk->ik' has both size 3 and size 4",
    ),
    ("tf.einsum('ij,jk->iq', x, w)", ValueError, "label q not present"),
    ("tf.split(x, 4, axis=1)", INVALID, "cut axis 1 of size 3 into 4 equal parts"),
    ("tf.unstack(x, num=3)", INVALID, "try : pass `num=2`"),
    ("tf.ones([2, -3])", INVALID, "A dimension must be >= 0"),
    ("tf.tile(x, [2])", INVALID, "one number for each axis"),
    ("tf.pad(x, [[1, 1]])", INVALID, "pass one pair `[before, after]` for each axis"),
    ("tf.squeeze(x, axis=1)", INVALID, "cannot remove axis 1, which has size 3"),
    # Axes and indices out of range.
    ("tf.reduce_sum(x, axis=2)", INVALID, "`reduce_sum` got axis 2"),
    ("tf.argmax(x, axis=5)", INVALID, "an axis of the input (from -2 to 1)"),
    (
        "tf.expand_dims(x, 5)",
        INVALID,
        "for an input of rank 2.\n  try : pass a position for the new axis",
    ),
    ("tf.transpose(x, [0, 2])", INVALID, "pass a `perm` that contains each of [0, 1] once"),
    ("x[5]", INVALID, "try : use an index from -2 to 1"),
    ("x[0, 0, 0]", INVALID, "at most 2 indices"),
    ("x['a']", TypeError, "try : use `tf.gather(x, indices)`"),
    ("tf.gather(x, [5])", INVALID, "try : use indices from 0 to 1"),
    ("tf.gather(x, [0.5])", INVALID, "try : use `tf.cast(indices, tf.int32)`"),
    # Dtypes.
    ("x + i", INVALID, "try : use `tf.cast(i, tf.float32)`"),
    ("i + x", INVALID, "try : use `tf.cast(i, tf.float32)`"),
    (
        "i * 1.5",
        TypeError,
        "try : use `tf.cast(i, tf.float32)`, or write the values of `i` with a decimal",
    ),
    ("x * d", INVALID, "`x` is float32, and `d` is float64.\n  try : use `tf.cast(d, tf.float32)`"),
    ("tf.sqrt(i)", INVALID, "try : use `tf.cast(i, tf.float32)`"),
    ("tf.square('4')", INVALID, "try : use `tf.strings.to_number('4')`"),
    ("tf.where(x, x, x)", INVALID, "try : use a condition such as `x > 0`"),
    ("tf.one_hot([0.5], 3)", INVALID, "try : use `tf.cast([0.5], tf.int32)`"),
    (
        "count.assign_add(0.5)",
        TypeError,
        "the variable has dtype int32, but the value has dtype float32",
    ),
    ("steps.assign(w)", ValueError, "The variable shape (2, 3), and the value shape (4, 3)"),
    # The tape.
    ("tape.gradient(3.0, x)", AttributeError, "A target of the gradient is a Python float"),
    ("x.mean()", AttributeError, "try : use `tf.reduce_mean(x)`"),
]


def values() -> dict[str, Any]:
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
    return {
        "tf": tf,
        "x": x,
        "tape": tape,
        "w": tf.ones((4, 3)),
        "v": tf.constant([1.0, 2.0, 3.0]),
        "rows": tf.constant([1.0, 2.0]),
        "pictures": tf.ones((5, 2, 3)),
        "i": tf.constant([[1, 2, 3], [4, 5, 6]]),
        "d": tf.constant(np.ones((2, 3))),
        "count": tf.Variable(0),
        "steps": tf.Variable(x),
    }


def raised(path: Path, text: str) -> Exception:
    """The exception that a script with this text raises."""
    path.write_text(text, encoding="utf-8")
    linecache.checkcache(str(path))
    try:
        exec(compile(text, str(path), "exec"), values())
    except Exception as error:
        return error
    raise AssertionError("it raised nothing")


@pytest.mark.parametrize(("line", "kind", "words"), CASES, ids=[case[0] for case in CASES])
def test_error_says_what_to_write(
    tmp_path: Path, line: str, kind: type[Exception], words: str
) -> None:
    error = raised(tmp_path / "script.py", f"\nresult = {line}\n")
    assert isinstance(error, kind)
    assert words in str(error)
    assert f"line: script.py:2  result = {line}" in "".join(getattr(error, "__notes__", []))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("x @ w", "x @ tf.transpose(w)"),
        ("pictures @ pictures", "pictures @ tf.linalg.matrix_transpose(pictures)"),
        ("x * rows", "x * rows[:, tf.newaxis]"),
        ("x + i", "x + tf.cast(i, tf.float32)"),
        ("x * d", "x * tf.cast(d, tf.float32)"),
        ("tf.sqrt(i)", "tf.sqrt(tf.cast(i, tf.float32))"),
        ("tf.concat([x, v], axis=0)", "tf.concat([x, v[tf.newaxis]], axis=0)"),
        ("tf.square('4')", "tf.square(tf.strings.to_number('4'))"),
    ],
)
def test_suggested_fix_works(tmp_path: Path, wrong: str, right: str) -> None:
    fix = str(raised(tmp_path / "script.py", wrong)).partition("try : ")[2].splitlines()[0]
    assert fix.split("`")[1] in right
    eval(right, values())


def test_error_shows_shapes_of_variables_on_the_line(tmp_path: Path) -> None:
    (note,) = raised(tmp_path / "script.py", "y = 2.0 * tf.matmul(x, w)").__notes__
    assert note.endswith("  with: x (2, 3) float32, w (4, 3) float32")


def test_attributes_are_named_without_running_user_code(tmp_path: Path) -> None:
    script = """\
class Layer:
    def __init__(self):
        self.kernel = w

    @property
    def secret(self):
        raise SystemExit("a property ran")

    def __call__(self, inputs):
        return inputs @ self.kernel + (self.secret if False else 0.0)

Layer()(x)
"""
    error = raised(tmp_path / "script.py", script)
    assert "the columns of `self.kernel` have 4" in str(error)
    assert "inputs (2, 3) float32, self.kernel (4, 3) float32" in error.__notes__[0]


def test_multiline_expression_with_non_ascii_names_is_read(tmp_path: Path) -> None:
    script = "größe = x\nprint(1); y = tf.add(\n    größe,  # ü\n    w,\n)\n"
    assert "`tf.add`: `größe` of shape (2, 3) and `w` of shape" in str(
        raised(tmp_path / "script.py", script)
    )


def test_augmented_assignment_names_both_sides(tmp_path: Path) -> None:
    assert "`x += w`: `x` of shape" in str(raised(tmp_path / "script.py", "x += w"))


def test_uncertain_names_are_not_used(tmp_path: Path) -> None:
    """tensordot passes on reshaped values: matmul does not receive what the user passed."""
    error = raised(tmp_path / "script.py", "tf.tensordot(pictures, w, axes=1)")
    assert "the rows of input 0" in str(error)
    assert "pictures (5, 2, 3) float32" in error.__notes__[0]


def test_layer_that_calls_the_op_is_not_named_as_operand(tmp_path: Path) -> None:
    error = raised(
        tmp_path / "script.py",
        "layer = tf.keras.layers.Dense(2)\nlayer(w)\nlayer(x @ tf.transpose(w))",
    )
    assert "script.py:3  layer(x @ tf.transpose(w))" in error.__notes__[0]


def test_program_without_source_gets_the_message_without_note() -> None:
    with pytest.raises(INVALID) as caught:
        # Since 3.13, Python shows the text of `python -c` for each file called <string>.
        exec(compile("x @ w", "<nowhere>", "exec"), values())
    assert not getattr(caught.value, "__notes__", [])
    assert "try : use `a @ tf.transpose(b)`" in str(caught.value).replace("x0", "a").replace(
        "x1", "b"
    )


def test_python_prints_note_under_the_message(tmp_path: Path) -> None:
    error = raised(tmp_path / "script.py", "y = x @ w")
    shown = "".join(traceback.format_exception(error))
    assert shown.rstrip().endswith("with: x (2, 3) float32, w (4, 3) float32")
