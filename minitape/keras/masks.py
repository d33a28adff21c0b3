"""Masks that are attached to tensors.

A mask is a bool tensor [batch, steps], which is False for the steps of a sequence to ignore. It is attached to a tensor
as `tensor._keras_mask`. A layer reads the masks of its inputs, passes them to `call` if it has a parameter `mask`, and
attaches one to its output. Losses and metrics exclude masked steps.

Source: https://keras.io/guides/understanding_masking_and_padding/
"""

from typing import Any

from minitape.core import nest
from minitape.core.tensor import Tensor


def mask_of(value: Any) -> Any:
    """Return the mask of a tensor, or None.

    Args:
        value: A tensor or any other object.

    Returns:
        A bool tensor [batch, steps], or None.
    """
    # A mask may have been deleted, as the Transformer tutorial does: `del logits._keras_mask`.
    try:
        return value._keras_mask if isinstance(value, Tensor) else None
    except AttributeError:
        return None


def masks_of(structure: Any) -> Any:
    """Return the masks of all tensors in a structure.

    Args:
        structure: A tensor, or a structure of tensors.

    Returns:
        A structure of masks with the same nesting, and None for tensors without a mask.
    """
    if isinstance(structure, Tensor):
        try:
            return structure._keras_mask
        except AttributeError:
            return None
    return nest.map_structure(mask_of, structure) if nest.is_nested(structure) else None


def attach_mask(tensor: Any, mask: Any) -> None:
    """Attach a mask to a tensor.

    Args:
        tensor: The tensor; any other object is ignored.
        mask: A bool tensor [batch, steps], or None to remove the mask.
    """
    if isinstance(tensor, Tensor):
        tensor._keras_mask = mask


def is_masked(masks: Any) -> bool:
    """Return whether a structure contains at least one mask.

    Args:
        masks: A mask, a structure of masks, or None.

    Returns:
        A bool.
    """
    return masks is not None and any(mask is not None for mask in nest.flatten(masks))
