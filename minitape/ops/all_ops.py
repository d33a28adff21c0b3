"""Imports all ops: those of the catalog, and those of modules that are otherwise imported when they are first used.

Code that looks ops up by name or lists them imports this module first.
"""

from minitape.ops.fields import blocks, convolution_nd, ctc, morphology
from minitape.ops.fields import pooling as pooling_of_fields
from minitape.ops.functions import bessel, distributions, gammas, integrals
from minitape.ops.images import (
    adjustment,
    colors,
    cropping,
    framing,
    measuring,
    random_augmentation,
    resizing,
)
from minitape.ops.matrices import bands, eigen, roots, triangles
from minitape.ops.signals import fourier
from minitape.ops.signals import framing as framing_of_signals

__all__ = (
    "adjustment",
    "bands",
    "bessel",
    "blocks",
    "colors",
    "convolution_nd",
    "cropping",
    "ctc",
    "distributions",
    "eigen",
    "fourier",
    "framing",
    "framing_of_signals",
    "gammas",
    "integrals",
    "measuring",
    "morphology",
    "pooling_of_fields",
    "random_augmentation",
    "resizing",
    "roots",
    "triangles",
)
