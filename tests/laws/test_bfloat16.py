"""bfloat16 in all ops: an op and its rules return the float32 result, rounded once."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from samples import Sample

import minitape as tf
from minitape.core.bfloat16 import _NOT_HERE
from minitape.errors import KernelError

NARROW = tf.bfloat16.numpy


def in_bfloat16(sample: Sample) -> Sample:
    narrow = tuple(x.astype(NARROW) if x.dtype.kind == "f" else x for x in sample.inputs)
    return replace(sample, inputs=narrow)


def in_float32(values: Any) -> Any:
    return tuple(x.astype(np.float32) if x.dtype == NARROW else x for x in values)


def is_of_floats(sample: Sample) -> bool:
    """There is no bfloat16 counterpart of complex numbers, and an op with a dtype argument returns that dtype."""
    kinds = {x.dtype.kind for x in sample.inputs}
    return "f" in kinds and "c" not in kinds and "dtype" not in sample.settings


def test_op_returns_bfloat16_or_raises(sample: Sample) -> None:
    """TensorFlow has no bfloat16 kernel for some ops."""
    if not is_of_floats(sample):
        return
    tensors = [tf.constant(x) for x in in_bfloat16(sample).inputs]
    if sample.op in _NOT_HERE:
        if sample.inputs[0].dtype.kind == "f":
            with pytest.raises(KernelError):
                sample.run(*tensors)
        return
    ours = sample.run(*tensors)
    wide = sample.run(*in_float32(in_bfloat16(sample).inputs))
    for y, exact in zip(*map(listed, (ours, wide)), strict=True):
        assert y.dtype == (tf.bfloat16 if exact.dtype == np.float32 else exact.dtype)
        np.testing.assert_array_equal(y, exact.astype(y.dtype.numpy))


def test_cotangent_is_bfloat16(sample: Sample) -> None:
    if not is_of_floats(sample) or sample.op in _NOT_HERE:
        return
    narrow = in_bfloat16(sample)
    y = narrow.run()
    ybar = tuple(map(ones_like, y)) if isinstance(y, tuple) else ones_like(y)
    for position in narrow.smooth:
        owed = narrow.vjp(position, ybar, y, narrow.inputs)
        assert (owed.dtype, owed.shape) == (NARROW, narrow.inputs[position].shape)


def ones_like(y: Any) -> Any:
    return np.ones(y.shape, y.dtype)[()] if y.dtype == NARROW else None


def listed(y: Any) -> tuple[Any, ...]:
    return y if isinstance(y, tuple) else (y,)
