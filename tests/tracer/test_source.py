"""Positions in the user's program."""

import ast
import sys

import pytest
from traced import traced

from minitape.tracer import source


def test_multiline_expression_is_found(tmp_path):
    run = traced("x = tf.constant(1.0)\ny = tf.add(\n    x,\n    2.0,\n)\n", tmp_path)
    (op,) = run.reported("op")
    assert op["at"] == ["program.py", 2, 4, 5, 1]
    assert op["target_name"] == "y"


def test_columns_count_characters_not_bytes(tmp_path):
    run = traced("ä = tf.constant(1.0)\nß = ä * ä\n", tmp_path)
    assert run.reported("op")[0]["at"][2:] == [4, 2, 9]


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("y = x * x", "y"),
        ("y: object = x * x", "y"),
        ("a.y = x * x", "a.y"),
        ("y, z = x * x, 1", "y"),
        ("y = (x * x) + 1", None),
        ("print(x * x)", None),
    ],
)
def test_expression_has_name_of_its_assignment_target(statement, name, tmp_path):
    program = f"class A: pass\na = A()\nx = tf.constant(1.0)\n{statement}\n"
    assert traced(program, tmp_path).reported("op")[0]["target_name"] == name


def test_returned_value_has_name_that_the_caller_assigns(tmp_path):
    run = traced("def f(x):\n    return x * x\ny = f(tf.constant(1.0))\n", tmp_path)
    assert run.reported("op")[0]["target_name"] == "y"


_MANAGERS = """\
class Manager:
    def __init__(self): seen("created")
    def __enter__(self): seen("entered")
    def __exit__(self, *_): seen("left")

def created(): return Manager()

with created():
    a = 1
with (Manager() as b,
      created()):
    c = 1
try:
    pass
finally:
    with Manager():
        d = 1
"""


def test_context_manager_positions_are_call_and_whole_block(tmp_path):
    """In every version of Python, although 3.13 itself returns the position of the call for all three."""
    file, found = tmp_path / "program.py", []

    def seen(what):
        frame = sys._getframe(1)
        while frame.f_code.co_name != "<module>":
            frame = frame.f_back
        line, end_line, column, end_column = source.position((frame.f_code, frame.f_lasti))
        found.append((what, line, end_line, column, end_column))

    file.write_text(_MANAGERS)
    exec(compile(_MANAGERS, str(file), "exec"), {"seen": seen})
    one, two, last = (8, 9, 0, 9), (10, 12, 0, 9), (16, 17, 4, 13)
    assert found == [
        ("created", 8, 8, 5, 14),
        ("entered", *one),
        ("left", *one),
        ("created", 10, 10, 6, 15),
        ("entered", *two),
        ("created", 11, 11, 6, 15),
        ("entered", *two),
        ("left", *two),
        ("left", *two),
        ("created", 16, 16, 9, 18),
        ("entered", *last),
        ("left", *last),
    ]


_RESUMED = """
def deeper(n, f):
    return f() if n == 0 else deeper(n - 1, f)
def values(x):
    while True:
        x = deeper(80, lambda: tf.sin(x))
        yield x
x = tf.constant(0.5)
for n in range(64, 96):
    each = values(x)
    deeper(n, lambda: next(each))
    deeper(n + 40, lambda: next(each))
"""


def test_resumed_generator_has_the_stack_of_its_new_caller(tmp_path):
    """Frames of a deep stack are combined, and those of a generator recur with another caller."""
    run = traced(_RESUMED, tmp_path)
    frames = {each["frames"]: each for each in run.reported("frames")}

    def depth(event):
        outer = event.get("outer")
        return len(event["stack"]) + (0 if outer is None else depth(frames[outer]))

    depths = [depth(op) for op in run.reported("op")]
    assert [after - before for before, after in zip(depths[::2], depths[1::2])] == [40] * 32


def test_library_and_engine_files_are_not_the_users():
    assert not source.is_users(ast.__file__)
    assert not source.is_users(source.__file__)
    assert source.is_users(__file__)


@pytest.mark.parametrize(
    ("written", "count", "names"),
    [
        ("[w, self.b]", 2, ["w", "self.b"]),
        ("{'z': a, 'b': c}", 2, ["c", "a"]),
        ("params", 1, ["params"]),
        ("params", 2, [None, None]),
    ],
)
def test_sources_are_named_after_the_argument_expression(written, count, names):
    assert source.leaf_names(ast.parse(written, mode="eval").body, count) == names


def test_texts_of_a_long_sum_are_shortened(tmp_path):
    """Each of its ops has the text of all terms before it, so the size would be quadratic in the terms."""

    def size(n):
        name = "weights_of_the_output_layer"
        run = traced(f"{name} = tf.Variable(1.0)\ny = {' + '.join([name] * n)}\n", tmp_path)
        assert len(run.reported("op")) == n - 1
        return sum(len(str(event)) for event in run.received if event["k"] != "source")

    assert size(600) < 2.5 * size(300)


def test_source_that_is_a_sum_of_900_terms_has_its_text_as_name():
    written = " + ".join(["w"] * 900)
    assert source.leaf_names(ast.parse(written, mode="eval").body, 1) == [written]


@pytest.mark.parametrize(
    ("written", "holder", "names"),
    [
        ("params", [1, 2], ["params[0]", "params[1]"]),
        ("self.params", {"w": 1, "b": 2}, ["self.params['b']", "self.params['w']"]),
        ("model.trainable_variables", source.UNKNOWN, ["model.trainable_variables[0]"] * 1 + ["model.trainable_variables[1]"]),
        ("make()", [1, 2], [None, None]),
        ("params", [[1, 2], 3, 4], [None, None]),
    ],
)  # fmt: skip
def test_entries_of_a_container_are_written_as_code(written, holder, names):
    assert source.entry_names(ast.parse(written, mode="eval").body, holder, 2) == names


def test_name_lookup_runs_no_user_code():
    class Trap:
        @property
        def weights(self):
            raise AssertionError("this is the user's code")

    trap, pair = Trap(), [1.0, 2.0]
    frame = sys._getframe()
    for text, value in [
        ("trap", trap),
        ("pair[1]", 2.0),
        ("trap.weights", source.UNKNOWN),
        ("pair[9]", source.UNKNOWN),
        ("nobody", source.UNKNOWN),
    ]:
        assert source.held(ast.parse(text, mode="eval").body, frame) is value or pair[1] == value
