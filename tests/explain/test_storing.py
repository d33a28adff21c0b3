"""An assignment to a variable, rewritten as a statement that creates a tensor."""

import pytest

from minitape.explain.causes.wording.stores import as_tensor, stored_in


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("level.assign(3.0 * gain)", "level = 3.0 * gain"),
        ("self.level.assign_sub(a - b)", "self.level = self.level - (a - b)"),
        ("total.assign_add(x)", "total = total + x"),
        ("total.assign_add(delta=x)", "total = total + x"),
        ("v.scatter_nd_update([[k]], [x])", "v = tf.tensor_scatter_nd_update(v, [[k]], [x])"),
        ("v.scatter_nd_max(updates=x, indices=at)", "v = tf.tensor_scatter_nd_max(v, at, x)"),
        ("v.scatter_sub(tf.IndexedSlices(x, [1, k]))", "v = tf.tensor_scatter_nd_sub(v, [[1], [k]], x)"),
        ("v.scatter_add(tf.IndexedSlices(x, at))", "v = tf.tensor_scatter_nd_add(v, tf.expand_dims(at, -1), x)"),
        ("v.scatter_add(slices)", None),
        ("v.batch_scatter_update(slices)", None),
        ("print(v)", None),
    ],
)  # fmt: skip
def test_assignment_becomes_statement_that_creates_a_tensor(text: str, better: str | None) -> None:
    assert as_tensor(text) == better


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("board[i, j].assign(x)", "board = tf.tensor_scatter_nd_update(board, [[i, j]], [x])"),
        (
            "self.rows[i].assign(x)",
            "self.rows = tf.tensor_scatter_nd_update(self.rows, [[i]], [x])",
        ),
        ("board[0].assign(x)", "board = tf.tensor_scatter_nd_update(board, [[0]], [x])"),
        ("board[..., 0].assign(x)", None),
        ("board[i, :].assign(x)", "board = tf.tensor_scatter_nd_update(board, [[i]], [x])"),
        ("line[a:b].assign(x)", "line = tf.concat([line[:a], x, line[b:]], 0)"),
        ("line[:3].assign(x)", "line = tf.concat([x, line[3:]], 0)"),
        # An index from the end, or a slice next to an index, which tensor_scatter_nd_update does not accept directly.
        ("line[-1].assign(x)", None),
        ("board[:, j].assign(x)", None),
        ("line[::2].assign(x)", None),
    ],
)
def test_assignment_to_a_part_becomes_scatter_update(text: str, better: str | None) -> None:
    assert as_tensor(text, is_part=True) == better


def test_single_row_index_becomes_a_list_of_one() -> None:
    stored = as_tensor("v.scatter_add(tf.IndexedSlices(x, k))", is_one_row=True)
    assert stored == "v = tf.tensor_scatter_nd_add(v, [[k]], [x])"


def test_variable_of_an_assignment_is_the_expression_before_it() -> None:
    assert stored_in("self.rows[i].assign(x)", is_part=True) == "self.rows"
    assert stored_in("rows[i].assign(x)") == "rows[i]"
    assert stored_in("rows[i]") is None
