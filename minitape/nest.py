"""`tf.nest`: nested lists, tuples and dicts."""

from minitape.core.nest import (
    assert_same_structure,
    flatten,
    is_nested,
    map_structure,
    pack_sequence_as,
)
from minitape.lazy_namespace import helpful_getattr

__getattr__ = helpful_getattr(__name__)

__all__ = ["assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as"]
