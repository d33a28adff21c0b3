"""NumPy by hand: what the mathematics costs when a careful person writes both directions and nothing else.

Results are overwritten where nobody needs them any more, and a cotangent that is not asked for is not computed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from workloads import CHAIN, LOOPS, RATE

Run = Callable[[], list[Any]]


def load() -> str:
    return np.__version__


def scalars_untaped(given: Any) -> Run:
    def run() -> list[Any]:
        x, w, b = given.x, given.w, given.b
        for _ in range(given.size // 4):
            x = np.sin(x * w + b) + x
        return [x]

    return run


def scalars(given: Any) -> Run:
    def run() -> list[Any]:
        x, w, b = given.x, given.w, given.b
        xs, insides = [], []
        for _ in range(given.size // 4):
            inside = x * w + b
            xs.append(x)
            insides.append(inside)
            x = np.sin(inside) + x
        xbar, wbar, bbar = np.float32(1), np.float32(0), np.float32(0)
        while xs:
            step = xbar * np.cos(insides.pop())
            bbar = bbar + step
            wbar = wbar + step * xs.pop()
            xbar = xbar + step * w
        return [xbar, wbar, bbar]

    return run


def vectors(given: Any) -> Run:
    small = np.float32(0.1)

    def run() -> list[Any]:
        x, w, b = given.x, given.w, given.b
        kept = []
        for _ in range(LOOPS):
            y = x * w
            y += b
            np.tanh(y, out=y)
            kept.append((x, y))
            x = x + y * small
        xbar = np.full_like(x, 1 / x.size)
        wbar, bbar, step = np.zeros_like(w), np.zeros_like(b), np.empty_like(x)
        while kept:
            x, y = kept.pop()
            np.multiply(y, y, out=y)
            np.subtract(np.float32(1), y, out=y)
            np.multiply(xbar, small, out=step)
            step *= y
            bbar += step
            np.multiply(step, x, out=y)
            wbar += y
            step *= w
            xbar += step
        return [xbar, wbar, bbar]

    return run


def network(given: Any) -> Run:
    w1, b1, w2, b2 = (weight.copy() for weight in given.weights)
    rows = np.arange(len(given.labels))

    def run() -> list[Any]:
        hidden = given.x @ w1
        hidden += b1
        np.maximum(hidden, 0, out=hidden)
        shares = hidden @ w2
        shares += b2
        shares -= shares.max(axis=1, keepdims=True)
        right = shares[rows, given.labels]
        np.exp(shares, out=shares)
        totals = shares.sum(axis=1, keepdims=True)
        loss = (np.log(totals[:, 0]) - right).mean()
        shares /= totals
        shares[rows, given.labels] -= 1
        shares /= len(rows)
        hbar = shares @ w2.T
        hbar *= hidden > 0
        gradients = (given.x.T @ hbar, hbar.sum(0), hidden.T @ shares, shares.sum(0))
        for weight, gradient in zip((w1, b1, w2, b2), gradients, strict=True):
            gradient *= np.float32(RATE)
            weight -= gradient
        return [loss]

    return run


def embedding(given: Any) -> Run:
    table = given.table.copy()

    def run() -> list[Any]:
        found = table[given.rows]
        loss = (found * found).sum()
        found *= np.float32(2 * RATE)
        np.subtract.at(table, given.rows, found)
        return [loss]

    return run


def jacobian(given: Any) -> Run:
    def run() -> list[Any]:
        x, slopes = given.x, []
        for w in given.layers:
            x = np.tanh(x @ w)
            slopes.append(1 - x * x)
        matrix = slopes[-1].T * given.layers[-1].T
        for w, slope in zip(given.layers[-2::-1], slopes[-2::-1], strict=True):
            matrix = (matrix * slope) @ w.T
        return [matrix]

    return run


def hessian_vector(given: Any) -> Run:
    def run() -> list[Any]:
        p = 1 / (1 + np.exp(-(given.x @ given.w)))
        curved = p * (1 - p) * (given.x @ given.v) / np.float32(p.size)
        return [given.x.T @ curved]

    return run


def long_tape(given: Any) -> Run:
    def run() -> list[Any]:
        x, w, b = given.x, given.w, given.b
        xs = []
        for _ in range(given.size // 2):
            xs.append(x)
            x = x * w + b
        xbar, wbar, bbar = np.float32(1), np.float32(0), np.float32(0)
        while xs:
            bbar = bbar + xbar
            wbar = wbar + xbar * xs.pop()
            xbar = xbar * w
        return [xbar, wbar, bbar]

    return run


def linear_chain(given: Any) -> Run:
    def run() -> list[Any]:
        x = given.x.copy()
        for _ in range(CHAIN // 2):
            x += given.x
            np.negative(x, out=x)
        xbar = np.ones_like(x)
        for _ in range(CHAIN // 2):
            np.negative(xbar, out=xbar)
        return [xbar]

    return run


def relu_chain(given: Any) -> Run:
    def run() -> list[Any]:
        x, masks = given.x.copy(), []
        for _ in range(CHAIN):
            np.maximum(x, 0, out=x)
            masks.append(x > 0)
        xbar = np.ones_like(x)
        while masks:
            xbar *= masks.pop()
        return [xbar]

    return run


def tanh_chain(given: Any) -> Run:
    def run() -> list[Any]:
        x, outputs = given.x, []
        for _ in range(CHAIN):
            x = np.tanh(x)
            outputs.append(x)
        xbar = np.ones_like(x)
        while outputs:
            y = outputs.pop()
            np.multiply(y, y, out=y)
            np.subtract(np.float32(1), y, out=y)
            xbar *= y
        return [xbar]

    return run
