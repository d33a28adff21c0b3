"""What the program's text says where no event happened."""

from textwrap import dedent

from minitape.explain.flow import program_text as reading

PROGRAM = dedent(
    """
    def net(x):
        h = x * 2
        return x

    loss = net(1)
    goal = loss
    if loss > 3:
        y = w * 2
    """
).lstrip("\n")


def test_the_last_line_that_gives_a_name_a_value():
    assert reading.line_of_assignment("a = 1\na = 2\na = 3\n", "a", before=2) == 2
    assert reading.line_of_assignment("a = 1\n", "b", before=9) is None


def test_a_renaming_is_no_computation():
    assert reading.line_of_renaming(PROGRAM, "goal", before=9) == 6
    assert reading.line_of_renaming(PROGRAM, "loss", before=9) is None


def test_a_return_that_leaves_a_name_out():
    assert reading.line_of_return_without(PROGRAM, "h", 2) == 3
    assert reading.line_of_return_without(PROGRAM, "x", 2) is None


def test_the_branch_that_reads_a_name():
    assert reading.line_of_branch_with(PROGRAM, "w") == (7, 8)
    assert reading.line_of_branch_with(PROGRAM, "loss") is None


def test_a_gradient_function_that_gives_none():
    silent = "def f(x):\n    def grad(dy):\n        dy * 2\n    return x, grad\n"
    spoken = "def f(x):\n    def grad(dy):\n        return dy, None\n    return x, grad\n"
    sound = "def f(x):\n    def grad(dy):\n        return dy\n    return x, grad\n"
    assert reading.line_of_own_none(silent, "f") == 2
    assert reading.line_of_own_none(spoken, "f") == 3
    assert reading.line_of_own_none(sound, "f") is None


def test_the_name_of_the_sources():
    assert reading.name_of_sources("tape.gradient(loss, weights)") == "weights"
    assert reading.name_of_sources("tape.gradient(loss, sources=w)") == "w"
    assert reading.name_of_sources("tape.gradient(loss, [w])") is None


def test_a_word_that_is_said_twice_points_nowhere():
    assert reading.only_line_that_says("a = 'relu'\n", "relu") == 1
    assert reading.only_line_that_says("a = 'relu'\nb = tf.relu\n", "relu") is None


def test_text_that_is_no_python_says_nothing():
    assert reading.line_of_assignment("a = (\n", "a", before=1) is None
