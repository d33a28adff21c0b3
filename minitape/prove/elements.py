"""The numbers of a tensor in a trace as the array that the engine had."""

import numpy as np

from minitape.core.dtypes import as_dtype
from minitape.core.values import Array
from minitape.trace import events
from minitape.trace.elements import unpacked


def elements(numbers: events.Numbers) -> Array | None:
    """The array of a tensor, in its dtype and shape; of rank 0 a NumPy scalar, as the engine has it.

    Returns:
        None where the trace has not kept the elements, and for texts and other things that are no numbers.
    """
    try:
        dtype = as_dtype(numbers.dtype).numpy
    except TypeError:
        return None
    if dtype.kind not in "biufcV":
        return None
    if numbers.packed is not None:
        data = np.frombuffer(unpacked(numbers.packed), dtype.newbyteorder("<"))
        return data.astype(dtype).reshape(numbers.shape)
    if numbers.size == 0:
        return np.zeros(numbers.shape, dtype)
    if numbers.data is None:
        return None
    data = numbers.data
    if dtype.kind == "c":
        flat = [complex(each) for each in np.ravel(np.array(data, object))]
        return np.array(flat, dtype).reshape(numbers.shape)[()]
    if dtype.kind in "biu" and np.array(data).dtype.kind == "f":
        return np.array(data).reshape(numbers.shape)[()]  # as wrong as it is told
    return np.array(data, dtype).reshape(numbers.shape)[()]
