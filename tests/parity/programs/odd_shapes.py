"""Inputs without an element, of one element, and selections at their ends."""

from dataclasses import dataclass
from typing import Any

from programs.case import table


@dataclass
class Weighted:
    """A value with a weight, which is metadata and no entry."""

    value: Any
    weight: Any

    def __tf_flatten__(self) -> Any:
        return (self.weight,), (self.value,)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> Any:
        return cls(*components, *metadata)


def _eigenvalues(tf: Any, np: Any, **settings: Any) -> Any:
    """Those of a matrix of 3 rows: 2 and 2 ± √1.5."""
    alpha, beta = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.5])
    return tf.linalg.eigh_tridiagonal(alpha, beta, **settings)


EIGENVALUES = {
    "eigenvalue_of_one_element": lambda tf, np: tf.linalg.eigh_tridiagonal([1.5], []),
    "eigenvectors_of_one_element": lambda tf, np: tf.linalg.eigh_tridiagonal(
        [1.5], [], eigvals_only=False
    ),
    "eigenvalue_of_one_complex_element": lambda tf, np: tf.linalg.eigh_tridiagonal([1.5 + 2j], []),
    "eigenvalues_between": lambda tf, np: _eigenvalues(tf, np, select="v", select_range=(1.0, 3.0)),
    "eigenvalues_from_one": lambda tf, np: _eigenvalues(
        tf, np, select="v", select_range=(2.0, 3.0)
    ),
    "eigenvalues_up_to_one": lambda tf, np: _eigenvalues(
        tf, np, select="v", select_range=(1.0, 2.0)
    ),
    "eigenvalues_where_there_is_none": lambda tf, np: _eigenvalues(
        tf, np, select="v", select_range=(10.0, 11.0)
    ),
    "eigenvalues_of_an_empty_interval": lambda tf, np: _eigenvalues(
        tf, np, select="v", select_range=(2.0, 2.0)
    ),
    "eigenvalues_of_empty_indices": lambda tf, np: _eigenvalues(
        tf, np, select="i", select_range=(2, 1)
    ),
    "eigenvalues_without_a_range": lambda tf, np: _eigenvalues(tf, np, select="v"),
    "eigenvalues_of_no_selection": lambda tf, np: _eigenvalues(tf, np, select="x"),
}

MATRICES = {
    "pinv_of_ints": lambda tf, np: tf.linalg.pinv(np.ones((2, 2), np.int32)),
    "pinv_of_complex_numbers": lambda tf, np: tf.linalg.pinv(np.ones((2, 2), np.complex64)),
    "pinv_with_a_cutoff_each": lambda tf, np: tf.linalg.pinv(
        np.array([np.diag([1.0, 0.5]), np.diag([1.0, 0.5])]), rcond=[0.1, 0.9]
    ),
    "pinv_with_too_many_cutoffs": lambda tf, np: tf.linalg.pinv(
        np.ones((2, 2, 3)), rcond=[[0.1], [0.2]]
    ),
    "pinv_of_tall_matrices": lambda tf, np: tf.linalg.pinv(
        np.array([[[1.0, 2.0], [0.0, 1.0], [3.0, -1.0]], [[2.0, 0.0], [1.0, 1.0], [0.0, 4.0]]])
    ),
    "pinv_of_wide_matrices": lambda tf, np: tf.linalg.pinv(
        np.array([[[1.0, 0.0, 3.0], [2.0, 1.0, -1.0]], [[2.0, 1.0, 0.0], [0.0, 1.0, 4.0]]]),
        rcond=[0.1, 0.8],
    ),
    "pinv_without_rows": lambda tf, np: tf.linalg.pinv(np.zeros((0, 2, 3))),
    "diag_of_nothing": lambda tf, np: tf.linalg.diag(np.zeros(0)),
    "diag_of_nothing_above": lambda tf, np: tf.linalg.diag(np.zeros(0), k=1),
    "diag_of_nothing_below": lambda tf, np: tf.linalg.diag(np.zeros((2, 0)), k=-2),
    "diag_too_long": lambda tf, np: tf.linalg.diag([5.0, 6.0], num_rows=1),
    "diag_part_of_nothing": lambda tf, np: tf.linalg.diag_part(np.zeros((2, 0, 0))),
    "tensor_diag_of_a_scalar": lambda tf, np: tf.linalg.tensor_diag(5.0),
    "tensor_diag_part_of_a_scalar": lambda tf, np: tf.linalg.tensor_diag_part(5.0),
    "set_diag_from_a_list": lambda tf, np: tf.linalg.set_diag(np.zeros((1, 1)), [5.0]),
    "set_diag_from_ints": lambda tf, np: tf.linalg.set_diag([[0.0]], [5]),
    "set_diag_from_a_tensor": lambda tf, np: tf.linalg.set_diag(
        np.zeros((1, 1)), tf.constant([5.0])
    ),
    "set_diag_from_another_dtype": lambda tf, np: tf.linalg.set_diag(
        tf.zeros((1, 1)), tf.constant([5.0], tf.float64)
    ),
    "set_diag_of_ints_from_floats": lambda tf, np: tf.linalg.set_diag([[0]], [5.0]),
}

ROWS = {
    "searchsorted_in_nothing": lambda tf, np: tf.searchsorted(np.zeros((2, 0)), np.ones((2, 3))),
    "gather_along_axis_0_in_batches": lambda tf, np: tf.gather(
        np.arange(6.0).reshape(2, 3), [[1], [0]], axis=0, batch_dims=1
    ),
    "gather_with_too_many_batches": lambda tf, np: tf.gather(
        np.arange(12.0).reshape(2, 3, 2), [[[0, 1]], [[1, 0]]], axis=1, batch_dims=2
    ),
    "pad_a_scalar": lambda tf, np: tf.pad(1.0, np.zeros((0, 2), np.int32)),
    "pad_a_scalar_flat": lambda tf, np: tf.pad(1.0, []),
    "reflect_a_scalar_flat": lambda tf, np: tf.pad(1.0, [], mode="REFLECT"),
    "pad_with_one_column": lambda tf, np: tf.pad([1.0, 2.0], [[1]]),
    "fill_from_a_vector_of_one": lambda tf, np: tf.fill([2], [b"ab"]),
    "gather_with_batches_that_would_broadcast": lambda tf, np: tf.gather(
        np.arange(6.0).reshape(1, 6), [[0], [1]], batch_dims=1
    ),
    "gather_with_inner_batches_that_would_broadcast": lambda tf, np: tf.gather(
        np.arange(12.0).reshape(2, 2, 3), [[[0, 1]], [[0, 1]]], batch_dims=2
    ),
    "tensor_scatter_update_of_another_dtype": lambda tf, np: tf.tensor_scatter_nd_update(
        tf.ones([2]), [[0]], tf.constant([1])
    ),
    "tensor_scatter_update_of_another_precision": lambda tf, np: tf.tensor_scatter_nd_update(
        tf.ones([2], tf.float64), [[0]], tf.constant([5.5])
    ),
    "zeta_at_infinity": lambda tf, np: tf.math.zeta(
        np.array([np.inf, np.inf, np.inf, 2.0, np.inf, np.inf]),
        np.array([2.0, 1.0, 0.5, np.inf, np.inf, -0.5]),
    ),
}


def counted(tf: Any, body: Any, **settings: Any) -> Any:
    return tf.while_loop(lambda i: i < 3, body, [tf.constant(0)], **settings)


LOOPS = {
    "loop_returns_a_scalar": lambda tf, np: counted(tf, lambda i: i + 1),
    "loop_returns_a_scalar_and_is_limited": lambda tf, np: counted(
        tf, lambda i: i + 1, maximum_iterations=2
    ),
    "loop_returns_a_tuple_for_a_list": lambda tf, np: counted(tf, lambda i: (i + 1,)),
    "loop_returns_a_tuple_and_is_limited": lambda tf, np: counted(
        tf, lambda i: (i + 1,), maximum_iterations=2
    ),
    "loop_returns_a_dict": lambda tf, np: counted(tf, lambda i: {"i": i + 1}),
    "loop_returns_a_vector_of_two": lambda tf, np: tf.while_loop(
        lambda i: tf.reduce_all(i < 3), lambda i: i + 1, [tf.constant([0, 1])]
    ),
    "loop_returns_its_variables_in_one_tensor": lambda tf, np: tf.while_loop(
        lambda i, j: i < 3, lambda i, j: tf.stack([i + 1, j + 1]), [tf.constant(0), tf.constant(1)]
    ),
}

STRUCTURES = {
    "flatten_a_dataclass": lambda tf, np: tf.nest.flatten([Weighted(1, Weighted(2, 3)), 4]),
    "map_over_dataclasses": lambda tf, np: vars(
        tf.nest.map_structure(lambda x, y: x + y, Weighted(1, 2), Weighted(3, 4))
    ),
    "pack_a_dataclass": lambda tf, np: vars(tf.nest.pack_sequence_as(Weighted([1, 2], 3), [8, 9])),
    "a_dataclass_is_nested": lambda tf, np: tf.nest.is_nested(Weighted(1, 2)),
    "a_dataclass_and_a_list": lambda tf, np: tf.nest.assert_same_structure(Weighted(1, 2), [1]),
    "a_dataclass_and_a_leaf": lambda tf, np: tf.nest.assert_same_structure(Weighted(1, 2), 3),
}

TABLE = table(EIGENVALUES | MATRICES | ROWS | LOOPS | STRUCTURES)
