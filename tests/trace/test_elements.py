"""The elements of a tensor in a trace, in whichever field they are stored."""

import base64
import math

import numpy as np
import pytest
from msgspec import convert
from msgspec.structs import replace

import minitape as tf
from minitape.replay.numbers import array_of
from minitape.replay.reason import Reason
from minitape.trace.comparison.closeness import close, gap
from minitape.trace.elements import elements, fault
from minitape.trace.events import Numbers
from minitape.trace.writing import ITEM_SIZES
from minitape.tracer.packing import Packing
from minitape.tracer.summary import summarize


def reported(values, dtype: str) -> Numbers:
    return convert(summarize(values, 1, "x", dtype, Packing(lambda: 0)), Numbers)


@pytest.mark.parametrize("size", [6, 100])
@pytest.mark.parametrize("dtype", ITEM_SIZES)
def test_elements_are_restored_exactly(dtype: str, size: int) -> None:
    """As `data` for small tensors, as `packed` for larger ones; as Python numbers and as an array."""
    row = np.linspace(-3.0, 4.0, size) if dtype[0] not in "u" else np.arange(size)
    values = tf.cast(tf.constant(row), dtype).numpy().reshape(2, -1)
    if dtype.startswith("complex"):
        values = values * values.dtype.type(1 + 2j)
    tensor = reported(values, dtype)
    assert (tensor.packed is None) is (size == 6)
    again = array_of(tensor)
    assert again.dtype == values.dtype
    np.testing.assert_array_equal(again, values)
    as_float = values.astype(np.float32) if dtype == "bfloat16" else values
    np.testing.assert_allclose(
        np.array(elements(tensor)).astype(as_float.dtype), as_float.reshape(-1)
    )
    assert fault(tensor) is None


def test_omitted_elements_are_not_returned() -> None:
    large = reported(np.ones(5000, np.float32), "float32")
    assert elements(large) is None and array_of(large) is Reason.TOO_LARGE
    texts = reported(np.array([b"a", b"b"], object), "string")
    assert elements(texts) == ["a", "b"] and array_of(texts) is Reason.TEXT
    many_texts = reported(np.array([b"a"] * 100, object), "string")
    assert elements(many_texts) is None


def test_empty_tensor_has_no_elements_and_scalar_has_one() -> None:
    empty = reported(np.ones((0, 3), np.float32), "float32")
    assert (elements(empty), array_of(empty).shape) == ([], (0, 3))
    assert elements(reported(np.float32(2.0), "float32")) == [2.0]


def test_nan_and_infinity_are_restored() -> None:
    values = np.array([math.nan, math.inf, -0.0] + [1.0] * 97)
    found = elements(reported(values, "float64"))
    assert math.isnan(found[0]) and found[1] == math.inf and math.copysign(1, found[2]) == -1.0


@pytest.mark.parametrize(
    "packed", ["", "AAAA", "not base64!", base64.b64encode(bytes(399)).decode()]
)
def test_packed_text_that_does_not_match_tensor_is_a_fault(packed: str) -> None:
    tensor = replace(reported(np.ones(100, np.float32), "float32"), packed=packed)
    assert fault(tensor) == "has packed elements that are not 100 of float32"


@pytest.mark.parametrize(
    "wrong", [{"rows": 3}, {"means": "?"}, {"least": 10_000}, {"rows": 8, "columns": 32}]
)
def test_blocks_that_do_not_match_tensor_are_a_fault(wrong: dict) -> None:
    tensor = reported(np.ones((500, 20), np.float32), "float32")
    assert fault(tensor) is None
    assert fault(replace(tensor, blocks=replace(tensor.blocks, **wrong))) is not None


@pytest.mark.parametrize(
    "wrong", [{"rows": 3}, {"values": "?"}, {"stride": 2}, {"channels": 1}, {"columns": 28}]
)
def test_maps_that_do_not_match_tensor_are_a_fault(wrong: dict) -> None:
    tensor = reported(np.ones((16, 26, 26, 8), np.float32), "float32")
    assert tensor.maps is not None and fault(tensor) is None
    assert fault(replace(tensor, maps=replace(tensor.maps, **wrong))) is not None
    assert fault(replace(tensor, shape=[16, 26, 208])) is not None


def test_tensors_with_exchanged_elements_are_not_close() -> None:
    """The minimum, maximum and strip are the same; the means have too few digits to differ."""
    values = np.random.default_rng(0).permutation(np.arange(4096.0))
    other = values.copy()
    other[[5, 6]] = other[[6, 5]]
    x, y = reported(values, "float64"), reported(other, "float64")
    assert x.strip == y.strip
    assert close(x, x, 0.0) and not close(x, y, 0.0)
    assert gap(x, x) == 0.0
    assert gap(x, y) == abs(values[5] - values[6]) / 4095
