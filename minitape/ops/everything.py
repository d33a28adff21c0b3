"""All ops: those of the catalog, and those of modules that are imported when they are first used.

Code that looks ops up by name or lists them imports this module first.
"""

from minitape.ops.fields import aligning, blocks, morphology, volumes
from minitape.ops.fields import pooling as pooling_of_fields
from minitape.ops.functions import bessel, drawing, gammas, integrals
from minitape.ops.images import adjusting, chance, colours, cutting, framing, measuring, resizing
from minitape.ops.matrices import bands, eigen, roots, triangles
from minitape.ops.signals import fourier
from minitape.ops.signals import framing as framing_of_signals

__all__ = (
    "adjusting",
    "aligning",
    "bands",
    "bessel",
    "blocks",
    "chance",
    "colours",
    "cutting",
    "drawing",
    "eigen",
    "fourier",
    "framing",
    "framing_of_signals",
    "gammas",
    "integrals",
    "measuring",
    "morphology",
    "pooling_of_fields",
    "resizing",
    "roots",
    "triangles",
    "volumes",
)
