"""The workloads in HIPS autograd, which differentiates NumPy code."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import autograd.numpy as np
from autograd import grad, make_vjp
from autograd import jacobian as jacobian_of
from workloads import CHAIN, LOOPS, RATE

Run = Callable[[], list[Any]]


def load() -> str:
    return version("autograd")


def _gradients(f: Callable[..., Any], *arrays: Any) -> Run:
    both = grad(f, tuple(range(len(arrays))))
    return lambda: [*both(*arrays)]


def _sines(given: Any) -> Callable[..., Any]:
    def f(x: Any, w: Any, b: Any) -> Any:
        for _ in range(given.size // 4):
            x = np.sin(x * w + b) + x
        return x

    return f


def scalars_untaped(given: Any) -> Run:
    f = _sines(given)
    return lambda: [f(given.x, given.w, given.b)]


def scalars(given: Any) -> Run:
    # float64, because autograd returns the gradient 0 for a float32 scalar.
    return _gradients(_sines(given), float(given.x), float(given.w), float(given.b))


def vectors(given: Any) -> Run:
    def f(x: Any, w: Any, b: Any) -> Any:
        for _ in range(LOOPS):
            x = x + np.tanh(x * w + b) * np.float32(0.1)
        return np.mean(x)

    return _gradients(f, given.x, given.w, given.b)


def network(given: Any) -> Run:
    weights = [weight.copy() for weight in given.weights]
    rows = np.arange(len(given.labels))
    last: list[Any] = []

    def loss_of(weights: Any) -> Any:
        w1, b1, w2, b2 = weights
        logits = np.maximum(given.x @ w1 + b1, 0) @ w2 + b2
        logits = logits - np.max(logits, axis=1, keepdims=True)
        right = logits[rows, given.labels]
        return np.mean(np.log(np.sum(np.exp(logits), axis=1)) - right)

    def run() -> list[Any]:
        vjp, loss = make_vjp(loss_of)(weights)
        for weight, gradient in zip(weights, vjp(np.float32(1)), strict=True):
            weight -= np.float32(RATE) * gradient
        last[:] = [loss]
        return last

    return run


def jacobian(given: Any) -> Run:
    def f(y: Any) -> Any:
        for w in given.layers:
            y = np.tanh(y @ w)
        return y

    matrix = jacobian_of(f)
    return lambda: [matrix(given.x[0])]


def hessian_vector(given: Any) -> Run:
    def loss_of(w: Any) -> Any:
        logits = given.x @ w
        return np.mean(
            np.maximum(logits, 0) - logits * given.labels + np.log1p(np.exp(-np.abs(logits)))
        )

    product = grad(lambda w: np.sum(grad(loss_of)(w) * given.v))
    return lambda: [product(given.w)]


def _chain(step: Callable[[Any], Any], steps: int, given: Any) -> Run:
    def f(x: Any) -> Any:
        for _ in range(steps):
            x = step(x)
        return np.sum(x)

    return _gradients(f, given.x)


def linear_chain(given: Any) -> Run:
    return _chain(lambda y: -(y + given.x), CHAIN // 2, given)


def relu_chain(given: Any) -> Run:
    return _chain(lambda y: np.maximum(y, 0), CHAIN, given)


def tanh_chain(given: Any) -> Run:
    return _chain(np.tanh, CHAIN, given)
