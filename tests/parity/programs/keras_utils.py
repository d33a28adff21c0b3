"""`tf.keras.utils`: labels, lengths, sequences; and what holds for all of Keras."""

from typing import Any

from programs.case import differs, table

_X = [[3.0, 4.0], [0.0, 0.0], [1.0, -1.0]]
_ROWS = [[1, 2, 3], [], [4], [5, 6, 7, 8]]
_POINTS = [[[1, 2], [3, 4]], [[5, 6]]]


@differs(
    "Keras divides the columns by the lengths of other ones",
    gives={
        "kind": "ndarray",
        "dtype": "float64",
        "shape": [2, 2],
        "value": [[0.6, 0.0], [0.8, 1.0]],
    },
)
def normalize_along_the_first_axis(tf: Any, np: Any) -> Any:
    return tf.keras.utils.normalize(np.array([[3.0, 0.0], [4.0, 2.0]]), axis=0)


def seed_repeats_numpy(tf: Any, np: Any) -> Any:
    drawn = []
    for _ in range(2):
        tf.keras.utils.set_random_seed(3)
        drawn.append(np.random.rand())
    return drawn[0] == drawn[1]


def sequence_is_iterated(tf: Any, np: Any) -> Any:
    class Batches(tf.keras.utils.PyDataset):
        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> Any:
            return index * 10, index

    batches = Batches(workers=2)
    kept = [batches.workers, batches.use_multiprocessing, batches.max_queue_size]
    return [
        list(batches),
        kept,
        batches.num_batches,
        tf.keras.utils.Sequence is Batches.__bases__[0],
    ]


TABLE = table(
    {
        "to_categorical_of_a_list": lambda tf, np: tf.keras.utils.to_categorical([0, 2, 1]),
        "to_categorical_of_a_column": lambda tf, np: tf.keras.utils.to_categorical([[1], [0]]),
        "to_categorical_of_rows": lambda tf, np: tf.keras.utils.to_categorical([[1, 0], [2, 2]]),
        "to_categorical_of_one_number": lambda tf, np: tf.keras.utils.to_categorical(2),
        "to_categorical_with_more_classes": lambda tf, np: tf.keras.utils.to_categorical([1], 4),
        "to_categorical_of_a_negative": lambda tf, np: tf.keras.utils.to_categorical([-1, 0], 3),
        "to_categorical_out_of_range": lambda tf, np: tf.keras.utils.to_categorical([3], 3),
        "to_categorical_of_bytes": lambda tf, np: tf.keras.utils.to_categorical(
            np.array([1, 0], np.uint8), num_classes=2
        ),
        "to_categorical_of_a_tensor": lambda tf, np: tf.keras.utils.to_categorical(
            tf.constant([1, 0]), 3
        ),
        "to_categorical_of_a_column_tensor": lambda tf, np: tf.keras.utils.to_categorical(
            tf.constant([[1], [5]]), 3
        ),
        "to_categorical_of_a_tensor_without_count": lambda tf, np: tf.keras.utils.to_categorical(
            tf.constant([1, 0])
        ),
        "normalize_rows": lambda tf, np: tf.keras.utils.normalize(np.array(_X)),
        "normalize_by_sums": lambda tf, np: tf.keras.utils.normalize(np.array(_X), order=1),
        "normalize_a_vector": lambda tf, np: tf.keras.utils.normalize(np.array([3.0, 4.0])),
        "normalize_a_tensor": lambda tf, np: tf.keras.utils.normalize(tf.constant(_X)),
        "pad_at_the_front": lambda tf, np: tf.keras.utils.pad_sequences(_ROWS),
        "pad_at_the_end": lambda tf, np: tf.keras.utils.pad_sequences(_ROWS, padding="post"),
        "cut_at_the_front": lambda tf, np: tf.keras.utils.pad_sequences(_ROWS, maxlen=2),
        "cut_at_the_end": lambda tf, np: tf.keras.utils.pad_sequences(
            _ROWS, 2, truncating="post", value=9
        ),
        "pad_with_floats": lambda tf, np: tf.keras.utils.pad_sequences(
            _ROWS, dtype="float32", value=-0.5
        ),
        "pad_rows_of_points": lambda tf, np: tf.keras.utils.pad_sequences(_POINTS),
        "pad_through_preprocessing": lambda tf, np: tf.keras.preprocessing.sequence.pad_sequences(
            _ROWS, maxlen=3
        ),
        "pad_no_lists": lambda tf, np: tf.keras.utils.pad_sequences([1, 2]),
        "pad_a_number": lambda tf, np: tf.keras.utils.pad_sequences(3),
        "pad_at_no_side": lambda tf, np: tf.keras.utils.pad_sequences(_ROWS, padding="left"),
        "cut_at_no_side": lambda tf, np: tf.keras.utils.pad_sequences(_ROWS, truncating="left"),
        "pad_ints_with_a_word": lambda tf, np: tf.keras.utils.pad_sequences(_ROWS, value="x"),
        "pad_points_and_numbers": lambda tf, np: tf.keras.utils.pad_sequences([[[1, 2]], [3]]),
        "seed_that_is_no_int": lambda tf, np: tf.keras.utils.set_random_seed("a"),
        "unpack_x": lambda tf, np: tf.keras.utils.unpack_x_y_sample_weight(1),
        "unpack_x_in_a_tuple": lambda tf, np: tf.keras.utils.unpack_x_y_sample_weight((1,)),
        "unpack_a_list": lambda tf, np: tf.keras.utils.unpack_x_y_sample_weight([1, 2]),
        "unpack_three": lambda tf, np: tf.keras.utils.unpack_x_y_sample_weight((1, 2, 3)),
        "unpack_four": lambda tf, np: tf.keras.utils.unpack_x_y_sample_weight((1, 2, 3, 4)),
        "pack_x": lambda tf, np: tf.keras.utils.pack_x_y_sample_weight(1),
        "pack_x_of_two": lambda tf, np: tf.keras.utils.pack_x_y_sample_weight([1, 2]),
        "pack_x_y": lambda tf, np: tf.keras.utils.pack_x_y_sample_weight(1, 2),
        "pack_three": lambda tf, np: tf.keras.utils.pack_x_y_sample_weight(1, 2, 3),
        "floatx": lambda tf, np: tf.keras.backend.floatx(),
        "floatx_of_no_float": lambda tf, np: tf.keras.backend.set_floatx("int32"),
        "epsilon": lambda tf, np: tf.keras.backend.epsilon(),
        "order_of_axes": lambda tf, np: tf.keras.backend.image_data_format(),
        "no_order_of_axes": lambda tf, np: tf.keras.backend.set_image_data_format("last"),
        "who_computes": lambda tf, np: tf.keras.backend.backend(),
        "in_config_too": lambda tf, np: [tf.keras.config.floatx(), tf.keras.config.epsilon()],
    }
)
