"""The masks that travel with tensors.

A mask says of each step of a sequence whether it counts: bool, [batch, steps]. It hangs on the tensor, as
`tensor._keras_mask`; a layer reads it off its inputs, uses it if its `call` has a `mask`, and hangs one on its answer.
Losses and metrics leave out what it masks.

Source: https://keras.io/guides/understanding_masking_and_padding/
"""

from typing import Any

from minitape.core import nest
from minitape.core.tensor import Tensor


def mask_of(value: Any) -> Any:
    """The mask that hangs on a tensor, or None."""
    return value._keras_mask if isinstance(value, Tensor) else None


def masks_of(structure: Any) -> Any:
    """The masks of all tensors of a structure, in the same structure."""
    if isinstance(structure, Tensor):
        return structure._keras_mask
    return nest.map_structure(mask_of, structure) if nest.is_nested(structure) else None


def hang(tensor: Any, mask: Any) -> None:
    """Hang a mask on a tensor."""
    if isinstance(tensor, Tensor):
        tensor._keras_mask = mask


def is_masked(masks: Any) -> bool:
    """Whether there is a mask among those of a structure."""
    return masks is not None and any(mask is not None for mask in nest.flatten(masks))
