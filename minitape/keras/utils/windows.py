"""Create windows of a long series for training.

Source: https://keras.io/api/data_loading/timeseries/
"""

from typing import Any

import numpy as np

from minitape.core.convert import convert_to_tensor
from minitape.data import Dataset
from minitape.errors import TapeTypeError, TapeValueError
from minitape.ops.indexing import gather


def timeseries_dataset_from_array(
    data: Any,
    targets: Any,
    sequence_length: int,
    sequence_stride: int = 1,
    sampling_rate: int = 1,
    batch_size: int | None = 128,
    shuffle: bool = False,
    seed: int | None = None,
    start_index: int | None = None,
    end_index: int | None = None,
    format: str = "tf",
) -> Any:
    """Create a dataset of batches of windows that slide over a series.

    Args:
        data: The series, shape [time steps, ...].
        targets: Targets, where targets[i] belongs to the window that starts at i; None for a dataset without targets.
        sequence_length: Number of time steps in a window.
        sequence_stride: Distance between the starts of consecutive windows.
        sampling_rate: Distance between consecutive time steps of a window.
        batch_size: Number of windows in a batch; None for a dataset of single windows.
        shuffle: Whether to shuffle the windows.
        seed: Seed for shuffling the windows.
        start_index: Index of the first time step to use.
        end_index: Index after the last time step to use.
        format: "tf"; "grain" is not supported.

    Returns:
        A dataset of [batch, sequence_length, ...], or of pairs with targets [batch, ...].

    Raises:
        TypeError: `data` or `targets` is not an array or sequence.
        ValueError: an argument is out of range, or `format` is not "tf".

    Source: https://keras.io/api/data_loading/timeseries/
    """
    for what, series in (("data", data), ("targets", targets)):
        is_one = not hasattr(series, "__len__") or getattr(series, "shape", None) == ()
        if series is not None and is_one:
            raise TapeTypeError(
                f"`{what}` must be a series. Received: {series!r}",
                fix=f"pass `{what}=[1.0, 2.0]`",
            )
    _check_indices(len(data), start_index, end_index)
    _check_step("sampling_rate", sampling_rate, len(data))
    _check_step("sequence_stride", sequence_stride, len(data))
    if format != "tf":
        raise TapeValueError(
            f"`format` must be 'tf'. Received: {format!r}", fix='pass `format="tf"`'
        )
    first, end = start_index or 0, len(data) if end_index is None else end_index
    count = end - first - (sequence_length - 1) * sampling_rate
    count = count if targets is None else min(count, len(targets))
    starts = np.arange(0, count, sequence_stride, dtype=np.int32)
    if shuffle:
        seed = int(np.random.randint(10**6)) if seed is None else seed
        np.random.RandomState(seed).shuffle(starts)
    moments = starts[:, np.newaxis] + np.arange(sequence_length, dtype=np.int32) * sampling_rate
    rows = convert_to_tensor(data[first:end])
    dataset: Any = Dataset.from_tensor_slices((moments, starts))
    if targets is None:
        dataset = dataset.map(lambda window, start: gather(rows, window))
    else:
        wanted = convert_to_tensor(targets[first:end])
        dataset = dataset.map(lambda window, start: (gather(rows, window), gather(wanted, start)))
    if shuffle:
        dataset = dataset.shuffle(1024 if batch_size is None else batch_size * 8, seed=seed)
    return dataset if batch_size is None else dataset.batch(batch_size)


def _check_indices(length: int, first: int | None, end: int | None) -> None:
    if first and not 0 <= first < length:
        raise TapeValueError(
            f"`start_index` must be 0 or greater, and lower than the length of the data, {length}. "
            f"Received: start_index={first}",
            fix="pass `start_index=0`",
        )
    if end and not max(first or 0, 0) < end < length:
        raise TapeValueError(
            f"`end_index` must be higher than `start_index` and lower than the length of the data, {length}. "
            f"Received: start_index={first}, end_index={end}",
            fix="pass `end_index=None` for all data",
        )


def _check_step(what: str, step: int, length: int) -> None:
    if not 0 < step < length:
        raise TapeValueError(
            f"`{what}` must be higher than 0 and lower than the length of the data, {length}. "
            f"Received: {what}={step}",
            fix=f"pass `{what}=1`",
        )
