"""All ops there are: those of the catalogue, and those on pages that open with their first use.

Whoever looks an op up by its name, or lists them, imports this page first.
"""

from minitape.ops.fields import aligning, blocks, morphology, volumes
from minitape.ops.fields import pooling as pooling_of_fields
from minitape.ops.images import adjusting, chance, colours, cutting, framing, measuring, resizing

__all__ = (
    "adjusting",
    "aligning",
    "blocks",
    "chance",
    "colours",
    "cutting",
    "framing",
    "measuring",
    "morphology",
    "pooling_of_fields",
    "resizing",
    "volumes",
)
