"""`tf.keras.utils.timeseries_dataset_from_array`: which windows come, in which order and batches."""

from typing import Any

from programs.case import table


def _batches(tf: Any, np: Any, **settings: Any) -> Any:
    data = settings.pop("data", np.arange(12.0, dtype="float32"))
    settings = {"targets": None, "sequence_length": 3, "batch_size": 4, **settings}
    tf.random.set_seed(1)  # the order of a shuffle depends on it
    dataset = tf.keras.utils.timeseries_dataset_from_array(data, **settings)
    return list(dataset)


def the_gradient_of_a_step(tf: Any, np: Any) -> Any:
    """A window's next value out of a window: one step of a linear model."""
    data = np.sin(np.arange(10.0)).astype("float32")
    dataset = tf.keras.utils.timeseries_dataset_from_array(data[:-3], data[3:], 3, batch_size=5)
    weights = tf.Variable([0.5, -0.25, 0.125])
    slopes = []
    for windows, wanted in dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(windows, weights) - wanted) ** 2)
        slopes.append(tape.gradient(loss, weights))
    return slopes


_SETTINGS: dict[str, dict[str, Any]] = {
    "alone": {},
    "with_targets": {"targets": [*range(12)]},
    "fewer_targets": {"targets": [*range(5)]},
    "by_stride": {"sequence_stride": 2},
    "by_rate": {"sampling_rate": 3},
    "one_by_one": {"batch_size": None, "sequence_length": 8},
    "a_part": {"start_index": 2, "end_index": 9},
    "a_part_with_targets": {"start_index": 2, "end_index": 9, "targets": [*range(12)]},
    "shuffled": {"shuffle": True, "seed": 3, "targets": [*range(12)]},
    "rows_of_a_list": {"data": [[1, 2], [3, 4], [5, 6], [7, 8]], "sequence_length": 2},
    "too_long": {"sequence_length": 13},
    "start_below_0": {"start_index": -1},
    "start_too_far": {"start_index": 12},
    "end_too_far": {"end_index": 12},
    "end_before_start": {"start_index": 5, "end_index": 5},
    "end_below_0": {"end_index": -1},
    "no_rate": {"sampling_rate": 0},
    "rate_too_large": {"sampling_rate": 12},
    "no_stride": {"sequence_stride": 0},
    "stride_too_large": {"sequence_stride": 12},
    "another_format": {"format": "arrow"},
}
TABLE = table(
    {
        name: lambda tf, np, settings=settings: _batches(tf, np, **settings)
        for name, settings in _SETTINGS.items()
    }
)
