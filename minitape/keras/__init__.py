"""`tf.keras`: layers, losses and optimizers, as plain classes over the ops.

Unlike TensorFlow, training is always a loop that is written out: there is no `compile` and no `fit`.
"""

from minitape.keras import (
    activations,
    backend,
    constraints,
    initializers,
    layers,
    losses,
    metrics,
    models,
    optimizers,
    regularizers,
    utils,
)
from minitape.keras.initializers import Initializer
from minitape.keras.layers import Input, Layer
from minitape.keras.losses import Loss
from minitape.keras.metrics import Metric
from minitape.keras.models import Model, Sequential
from minitape.keras.optimizers import Optimizer
from minitape.keras.regularizers import Regularizer

__all__ = [
    "Initializer",
    "Input",
    "Layer",
    "Loss",
    "Metric",
    "Model",
    "Optimizer",
    "Regularizer",
    "Sequential",
    "activations",
    "backend",
    "constraints",
    "initializers",
    "layers",
    "losses",
    "metrics",
    "models",
    "optimizers",
    "regularizers",
    "utils",
]
