"""What variables, dtypes and shapes can be asked and told beyond reading and assigning."""

from operator import add
from typing import Any

from programs.case import Case, table

ROWS = ("update", "add", "sub", "mul", "div", "min", "max")
ELEMENTS = ("update", "add", "sub", "min", "max")
DTYPES = ("float16", "float32", "float64", "int8", "uint16", "int64", "bool", "complex64", "string")
FACTS = ("is_unsigned", "is_numeric", "is_integer", "is_floating", "is_complex", "is_bool", "size")


def _scatter_rows(how: str) -> Any:
    """The same row twice, and what the method gives back."""

    def program(tf: Any, np: Any) -> Any:
        v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        slices = tf.IndexedSlices(tf.constant([[2.0, 3.0], [4.0, 5.0]]), tf.constant([0, 0]))
        given = getattr(v, f"scatter_{how}")(slices)
        return [v.numpy(), given.numpy()]

    return program


def _scatter_elements(how: str) -> Any:
    def program(tf: Any, np: Any) -> Any:
        v = tf.Variable([1.0, 2.0, 3.0, 4.0])
        w = tf.Variable([[1, 2], [3, 4], [5, 6]])
        method = f"scatter_nd_{how}"
        getattr(v, method)([[0], [2], [2]], [5.0, 6.0, 7.0])
        getattr(w, method)([[2], [0]], [[9, 1], [0, 7]])
        getattr(w, method)([[1, 1]], [40])
        return [v, w]

    return program


def batch_scatter_update(tf: Any, np: Any) -> Any:
    v = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    v.batch_scatter_update(tf.IndexedSlices(tf.constant([[7.0], [8.0]]), tf.constant([[2], [0]])))
    return v


def a_scatter_is_on_no_tape(tf: Any, np: Any) -> Any:
    v, w = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([2.0])
    with tf.GradientTape() as tape:
        v.scatter_nd_update([[1]], w * 3.0)
        y = tf.reduce_sum(v * v)
    return tape.gradient(y, [v, w])


def what_was_read_before_a_scatter_stays(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0, 3.0])
    before = tf.identity(v)
    with tf.GradientTape() as tape:
        y = v * v
        v.scatter_nd_add([[1]], [10.0])
    return [before, y, v, tape.gradient(y, v)]


def reading_parts(tf: Any, np: Any) -> Any:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape(persistent=True) as tape:
        rows = v.sparse_read([2, 0])
        elements = v.gather_nd([[1, 1], [0, 1]])
    both = [tape.gradient(rows, v), tape.gradient(elements, v)]
    return [rows, elements, [tf.convert_to_tensor(each) for each in both]]


def _refused(act: Any) -> Any:
    return lambda tf, np: act(tf, tf.Variable([1.0, 2.0, 3.0, 4.0]))


REFUSED = {
    "no_such_element": _refused(lambda tf, v: v.scatter_nd_add([[9]], [1.0])),
    "too_many_updates": _refused(lambda tf, v: v.scatter_nd_add([[0]], [1.0, 2.0])),
    "rows_that_are_no_slices": _refused(lambda tf, v: v.scatter_add([1.0])),
    "no_such_row": _refused(
        lambda tf, v: v.scatter_mul(tf.IndexedSlices(tf.constant([1.0]), tf.constant([9])))
    ),
    "another_shape": _refused(lambda tf, v: v.set_shape([5])),
    "its_own_shape": _refused(lambda tf, v: v.set_shape([None])),
    "is_initialized": _refused(lambda tf, v: v.is_initialized()),
}


def _fact(name: str) -> Any:
    def program(tf: Any, np: Any) -> Any:
        dtype = getattr(tf, name)
        found = {fact: getattr(dtype, fact) for fact in FACTS}
        found["base_dtype"] = dtype.base_dtype
        found["real_dtype"] = dtype.real_dtype
        found["with itself"] = dtype.is_compatible_with(name)
        found["with float32"] = dtype.is_compatible_with(tf.float32)
        for fact in ("min", "max", "limits"):
            try:
                found[fact] = str(getattr(dtype, fact))
            except (TypeError, ValueError) as error:
                found[fact] = "TypeError" if isinstance(error, TypeError) else "ValueError"
        return found

    return program


SHAPES = {
    "compatible_with_unknown_size": lambda shape: shape([2, None]).is_compatible_with([2, 3]),
    "compatible_with_unknown_rank": lambda shape: shape(None).is_compatible_with([2, 3]),
    "not_compatible": lambda shape: shape([2, 3]).is_compatible_with([2]),
    "merged": lambda shape: shape([2, None]).merge_with([None, 3]),
    "merged_with_unknown": lambda shape: shape(None).merge_with([None, 3]).as_list(),
    "merged_with_another": lambda shape: shape([2, 3]).merge_with([4, 3]),
    "concatenated": lambda shape: shape([2, 3]).concatenate([4, None]).as_list(),
    "concatenated_with_unknown": lambda shape: shape([2, 3]).concatenate(None).rank,
    "with_rank": lambda shape: shape([2, 3]).with_rank(2),
    "with_another_rank": lambda shape: shape([2, 3]).with_rank(3),
    "with_rank_at_least": lambda shape: shape([2, 3]).with_rank_at_least(3),
    "with_rank_at_most": lambda shape: shape([2, 3]).with_rank_at_most(1),
    "with_unknown_rank": lambda shape: shape(None).with_rank_at_most(1).rank,
    "has_rank": lambda shape: shape([2, 3]).assert_has_rank(3),
    "is_incompatible": lambda shape: shape([2, 3]).assert_is_compatible_with([3, 2]),
    "has_the_same_rank": lambda shape: shape([2, 3]).assert_same_rank([2]),
    "is_fully_defined": lambda shape: [
        shape([2, None]).is_fully_defined(),
        shape([2]).is_fully_defined(),
    ],
    "is_not_fully_defined": lambda shape: shape([2, None]).assert_is_fully_defined(),
    "unknown_rank": lambda shape: [shape(None).rank, shape(None).ndims, shape(None).dims],
    "unknown_as_list": lambda shape: shape(None).as_list(),
    "unknown_length": lambda shape: len(shape(None)),
    "unknown_part": lambda shape: shape(None)[0],
    "unknown_truth": lambda shape: [bool(shape(None)), bool(shape([]))],
    "elements": lambda shape: [shape([2, 3]).num_elements(), shape([None, 3]).num_elements()],
    "most_specific": lambda shape: shape([2, 3]).most_specific_compatible_shape([2, 4]).as_list(),
    "subtype": lambda shape: [
        shape([2, 3]).is_subtype_of(shape([None, 3])),
        shape([None, 3]).is_subtype_of(shape([2, 3])),
        shape([2, 3]).is_subtype_of(shape(None)),
    ],
    "equal": lambda shape: [
        shape([3]) == 3,
        shape([2, 3]) == [2, 3],
        shape([2, 3]) != (2, 3),
        shape(None) == shape(None),
        shape([2, None]) == shape([2, None]),
    ],
    "of_one_number": lambda shape: shape(3),
    "of_text": lambda shape: shape("a"),
    "of_a_negative_size": lambda shape: shape([-1]),
    "words": lambda shape: [repr(shape(None)), str(shape([2, None])), repr(shape([2, None]))],
    "added": lambda shape: [add(shape([2, 3]), [4]).as_list(), add([4], shape([2, 3])).as_list()],
    "a_part": lambda shape: [shape([2, 3])[0], shape([2, 3, 4])[1:].as_list()],
}

TABLE: tuple[Case, ...] = table(
    {
        **{f"scatter_{how}": _scatter_rows(how) for how in ROWS},
        **{f"scatter_nd_{how}": _scatter_elements(how) for how in ELEMENTS},
        **REFUSED,
        **{f"dtype_{name}": _fact(name) for name in DTYPES},
        **{
            f"shape_{name}": (lambda tf, np, ask=ask: ask(tf.TensorShape))
            for name, ask in SHAPES.items()
        },
    }
)
