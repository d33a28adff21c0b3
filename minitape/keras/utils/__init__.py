"""`tf.keras.utils`: helpers for training.

    `files`       `get_file`: downloads and caches a file
    `labels`      `to_categorical`, `normalize`
    `sequences`   `pad_sequences`: lists of different lengths as one array
    `batches`     `PyDataset`: batches that are created on demand; packing and unpacking of x, y and weights
    `seeds`       `set_random_seed`
    `windows`     `timeseries_dataset_from_array`: windows of a long series for training

Source: https://keras.io/api/utils/
"""

from minitape.keras.backend import clear_session
from minitape.keras.saving import (
    CustomObjectScope,
    custom_object_scope,
    deserialize_keras_object,
    get_custom_objects,
    get_registered_name,
    get_registered_object,
    register_keras_serializable,
    serialize_keras_object,
)
from minitape.keras.utils.batches import (
    PyDataset,
    Sequence,
    pack_x_y_sample_weight,
    unpack_x_y_sample_weight,
)
from minitape.keras.utils.files import get_file
from minitape.keras.utils.labels import normalize, to_categorical
from minitape.keras.utils.seeds import set_random_seed
from minitape.keras.utils.sequences import pad_sequences
from minitape.lazy_namespace import helpful_getattr, with_submodules

# This import is deferred because it imports tf.data, which few Keras programs need.
_LATER = {"keras.utils.windows": ("timeseries_dataset_from_array",)}
__getattr__ = with_submodules(__name__, _LATER, helpful_getattr(__name__))

__all__ = [
    "CustomObjectScope",
    "PyDataset",
    "Sequence",
    "clear_session",
    "custom_object_scope",
    "deserialize_keras_object",
    "get_custom_objects",
    "get_file",
    "get_registered_name",
    "get_registered_object",
    "normalize",
    "pack_x_y_sample_weight",
    "pad_sequences",
    "register_keras_serializable",
    "serialize_keras_object",
    "set_random_seed",
    "to_categorical",
    "unpack_x_y_sample_weight",
    *_LATER["keras.utils.windows"],
]
