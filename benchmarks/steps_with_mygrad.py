"""The steps in MyGrad, which differentiates NumPy code."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import mygrad as mg
import numpy as np
from mygrad.nnet.activations import relu
from mygrad.nnet.losses import softmax_crossentropy

Run = Callable[[], list[Any]]


def load() -> str:
    return version("mygrad")


def cast(given: Any) -> Run:
    x = mg.tensor(given.x)
    return lambda: [x.astype(np.float64)]


def network(given: Any) -> Run:
    x, labels = given.x, given.labels.argmax(axis=1)
    weights = w1, b1, w2, b2 = [mg.tensor(weight) for weight in given.weights]

    def run() -> list[Any]:
        loss = softmax_crossentropy(relu(x @ w1 + b1) @ w2 + b2, labels)
        loss.backward()
        return [weight.grad for weight in weights]

    return run
