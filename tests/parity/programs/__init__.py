"""The programs that are recorded under TensorFlow and replayed under minitape, page by page."""

from collections.abc import Mapping
from importlib import import_module

from programs.case import Case, cases_of

PAGES = (
    "values",
    "data",
    "tensor_array",
    "tape",
    "jacobians",
    "indexed_slices",
    "ops",
    "kinks",
    "modules",
    "custom",
    "forward",
    "functional",
    "vectorized",
    "seeds",
    "errors",
    "layers",
    "keras_layers",
    "keras_volumes",
    "keras_masks",
    "keras_functional",
    "keras_parts",
    "pictures",
    "training",
    "around",
    "keras_utils",
    "keras_random",
    "keras_sequential",
    "keras_saving",
    "keras_windows",
    "losing_likeness",
    "fitting",
    "older",
    "fitting_masks",
    "losing_sequences",
    "callbacks",
    "checkpoints",
    "images",
    "complexes",
    "control",
    "refused",
    "edges",
    "variables",
    "optimizing",
    "fields",
    "losing",
    "measuring",
    "keras_backend",
    "functions",
    "signals",
    "matrices",
    "drawn",
    "losing",
    "wide_numbers",
    "flags",
    "odd",
    "odd_shapes",
    "mixed_lists",
    "odd_arguments",
    "bfloat16",
    "nests",
    "keras_adapting",
    "copies",
)

# Of these, the pages about what a tape does; the others are about values, ops and layers.
TAPE_PAGES = (
    "tape",
    "jacobians",
    "indexed_slices",
    "custom",
    "forward",
    "functional",
    "vectorized",
    "seeds",
    "errors",
)


def cases(page: str) -> Mapping[str, Case]:
    """All cases of one page by name."""
    return cases_of(import_module(f"programs.{page}"))
