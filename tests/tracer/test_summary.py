"""The summary of a tensor: statistics and elements."""

import json

import numpy as np
import pytest

import minitape as tf
from minitape.tracer.packing import Packing
from minitape.tracer.summary import DATA_LIMIT, STRIP_CELLS, summarize


def summary(values, dtype="float32"):
    return summarize(np.asarray(values, dtype), 1, "x", dtype)


def test_moments_of_a_few_numbers():
    reported = summary([3.0, 4.0, 0.0])
    assert (reported["min"], reported["max"], reported["l2"], reported["zeros"]) == (
        0.0,
        4.0,
        5.0,
        1,
    )
    assert reported["mean"] == pytest.approx(7 / 3)


def test_nan_and_infinity_are_counted_and_excluded_from_moments():
    reported = summary([1.0, np.nan, np.inf, 3.0])
    assert (reported["nan"], reported["inf"], reported["mean"]) == (1, 1, 2.0)


def test_empty_tensor_has_no_moments():
    reported = summary(np.zeros((0, 2)))
    assert (reported["n"], reported["min"], reported["mean"]) == (0, None, None)


def test_small_tensor_is_stored_completely():
    assert summary(np.ones(DATA_LIMIT))["data"] == [1.0] * DATA_LIMIT
    assert "data" not in summary(np.ones(DATA_LIMIT + 1))


def test_float32_is_written_with_shortest_decimal():
    assert summary(0.1)["data"] == 0.1


def test_strip_samples_a_long_tensor_in_order():
    strip = summary(np.arange(1000.0))["strip"]
    assert len(strip) == STRIP_CELLS
    assert strip == sorted(strip)


def test_string_tensor_has_no_statistics():
    reported = summarize(np.array([b"a", b"b"], dtype=object), 1, None, "string")
    assert (reported["data"], reported["max"]) == (["a", "b"], None)


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32", "bool", "complex64"])
def test_every_dtype_can_be_written_as_json(dtype):
    json.dumps(summary([1, 0], dtype), allow_nan=False)


@pytest.mark.parametrize("size", [3, 100])
def test_overflowing_standard_deviation_is_null(size: int) -> None:
    """A trace has no string for infinity there: `std` and `l2` are numbers or null."""
    reported = summarize(np.full(size, 1e200), 1, "x", "float64")
    assert (reported["std"], reported["l2"]) == (None, None)
    assert reported["min"] == reported["mean"] == reported["strip"][0] == 1e200


@pytest.mark.parametrize("shape", [(100,), (90, 90), (64, 256)])
def test_strip_is_finite_if_the_sum_overflows(
    shape: tuple[int, ...],
) -> None:
    reported = summarize(np.full(shape, 1.5e308), 1, "x", "float64", Packing(lambda: 0))
    assert (reported["mean"], reported["nan"], reported["inf"]) == (None, 0, 0)
    assert reported["strip"] == pytest.approx([1.5e308] * STRIP_CELLS)


@pytest.mark.parametrize("size", [4096, 4097, 100352, 1_600_000])
@pytest.mark.parametrize("number", [0.1, 1 / 3, 123.456])
def test_mean_of_many_equal_numbers_is_accurate(size: int, number: float) -> None:
    """Added one after another in float32, the mean of a million tenths would be too large by one percent."""
    reported = summary(np.full(size, number))
    assert reported["mean"] == pytest.approx(number, rel=1e-6)
    assert reported["strip"] == pytest.approx([number] * STRIP_CELLS, rel=1e-6)


def test_bfloat16_is_summarized_as_numbers() -> None:
    """NumPy treats its elements as raw bytes; a trace contains their values."""
    x = tf.constant([1.5, 0.1], tf.bfloat16)
    summary = summarize(x.numpy(), 1, "x", "bfloat16")
    assert (summary["dtype"], summary["max"], summary["data"][0]) == ("bfloat16", 1.5, 1.5)
    assert tf.constant(summary["data"], tf.bfloat16).numpy().tolist() == x.numpy().tolist()
    assert summarize(x[1].numpy(), 2, "y", "bfloat16")["mean"] == 0.1000977
