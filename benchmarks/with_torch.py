"""The workloads in PyTorch, eager."""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as nn
from workloads import LOOPS, RATE

Run = Callable[[], list[Any]]


def load() -> str:
    torch.set_num_threads(1)
    return str(torch.__version__)


def _leaf(array: Any) -> Any:
    return torch.tensor(array, requires_grad=True)


def _gradients(f: Callable[..., Any], *arrays: Any) -> Run:
    sources = [_leaf(array) for array in arrays]
    return lambda: [*torch.autograd.grad(f(*sources), sources)]


def _sines(given: Any) -> Callable[..., Any]:
    def f(x: Any, w: Any, b: Any) -> Any:
        for _ in range(given.size // 4):
            x = torch.sin(x * w + b) + x
        return x

    return f


def scalars_untaped(given: Any) -> Run:
    f, x, w, b = _sines(given), *map(torch.tensor, (given.x, given.w, given.b))
    return lambda: [f(x, w, b)]


def scalars(given: Any) -> Run:
    return _gradients(_sines(given), given.x, given.w, given.b)


def vectors(given: Any) -> Run:
    def f(x: Any, w: Any, b: Any) -> Any:
        for _ in range(LOOPS):
            x = x + torch.tanh(x * w + b) * 0.1
        return x.mean()

    return _gradients(f, given.x, given.w, given.b)


def network(given: Any) -> Run:
    x, labels = torch.tensor(given.x), torch.tensor(given.labels).long()
    weights = w1, b1, w2, b2 = [_leaf(weight) for weight in given.weights]

    def run() -> list[Any]:
        loss = nn.cross_entropy(torch.relu(x @ w1 + b1) @ w2 + b2, labels)
        gradients = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            for weight, gradient in zip(weights, gradients, strict=True):
                weight -= RATE * gradient
        return [loss.detach()]

    return run


def embedding(given: Any) -> Run:
    table, rows = _leaf(given.table), torch.tensor(given.rows).long()

    def run() -> list[Any]:
        found = nn.embedding(rows, table, sparse=True)
        loss = (found * found).sum()
        (slices,) = torch.autograd.grad(loss, [table])
        with torch.no_grad():
            table.add_(slices, alpha=-RATE)
        return [loss.detach()]

    return run


def jacobian(given: Any) -> Run:
    x, layers = torch.tensor(given.x[0]), [torch.tensor(w) for w in given.layers]

    def f(y: Any) -> Any:
        for w in layers:
            y = torch.tanh(y @ w)
        return y

    return lambda: [torch.autograd.functional.jacobian(f, x, vectorize=True)]


def hessian_vector(given: Any) -> Run:
    x, labels, v = map(torch.tensor, (given.x, given.labels, given.v))
    w = _leaf(given.w)

    def run() -> list[Any]:
        loss = nn.binary_cross_entropy_with_logits(x @ w, labels)
        (gradient,) = torch.autograd.grad(loss, [w], create_graph=True)
        return [*torch.autograd.grad(gradient, [w], v)]

    return run


def long_tape(given: Any) -> Run:
    def f(x: Any, w: Any, b: Any) -> Any:
        for _ in range(given.size // 2):
            x = x * w + b
        return x

    return _gradients(f, given.x, given.w, given.b)
