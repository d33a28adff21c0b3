"""`tf.keras`: layers, losses, optimizers and training, implemented as plain classes that call ops."""

from minitape.keras import (
    activations,
    backend,
    callbacks,
    config,
    constraints,
    datasets,
    initializers,
    layers,
    losses,
    metrics,
    models,
    optimizers,
    preprocessing,
    random,
    regularizers,
    saving,
    utils,
)
from minitape.keras.initializers import Initializer
from minitape.keras.layers import Input, Layer
from minitape.keras.losses import Loss
from minitape.keras.metrics import Metric
from minitape.keras.models import Model, Sequential
from minitape.keras.optimizers import Optimizer
from minitape.keras.regularizers import Regularizer
from minitape.lazy_namespace import helpful_getattr, install_helpful_getattr

install_helpful_getattr(__name__)
__getattr__ = helpful_getattr(__name__)
__version__ = "3.15.1"  # the version of Keras that minitape reproduces

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
    "callbacks",
    "config",
    "constraints",
    "datasets",
    "initializers",
    "layers",
    "losses",
    "metrics",
    "models",
    "optimizers",
    "preprocessing",
    "random",
    "regularizers",
    "saving",
    "utils",
]
