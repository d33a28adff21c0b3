"""NumPy by hand: the cost of the mathematics if a careful programmer writes only the forward and the backward pass.

Arrays are overwritten when they are no longer needed, and cotangents that were not requested are not computed.
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


def deep(given: Any) -> Run:
    def run() -> list[Any]:
        y, inputs = given.x, []
        for w in given.layers:
            inputs.append(y)
            y = y @ w
            np.tanh(y, out=y)
        ybar = y * np.float32(2 / y.size)
        gradients = []
        for w, x in zip(reversed(given.layers), reversed(inputs), strict=True):
            ybar *= 1 - y * y
            gradients.append(x.T @ ybar)
            y = x
            if y is not given.x:
                ybar = ybar @ w.T
        return gradients[::-1]

    return run


def recurrent(given: Any) -> Run:
    of_x, of_h, b = given.weights

    def run() -> list[Any]:
        h, states = given.h, []
        for x in given.steps:
            states.append(h)
            a = x @ of_x
            a += h @ of_h
            a += b
            h = np.tanh(a, out=a)
        hbar = h * np.float32(2 / h.size)
        of_xbar, of_hbar, bbar = (np.zeros_like(weight) for weight in given.weights)
        for x, before in zip(reversed(given.steps), reversed(states), strict=True):
            hbar *= 1 - h * h
            bbar += hbar.sum(0)
            of_xbar += x.T @ hbar
            of_hbar += before.T @ hbar
            hbar = hbar @ of_h.T
            h = before
        return [of_xbar, of_hbar, bbar]

    return run


def rows(given: Any) -> Run:
    def run() -> list[Any]:
        found = given.table[given.rows]
        (found * found).sum()  # the loss
        found *= 2
        return [found]

    return run


def _written_out(x: Any) -> Any:
    """The 3 × 3 windows of a batch of images, one row for each position (im2col)."""
    bordered = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    seen = np.lib.stride_tricks.sliding_window_view(bordered, (3, 3), axis=(1, 2))
    return seen.transpose(0, 1, 2, 4, 5, 3).reshape(-1, 9 * x.shape[-1])


def _shared_out(columns: Any, shape: Any) -> Any:
    """The transpose of `_written_out`: add the cotangents of all windows to their pixels (col2im)."""
    count, height, width, channels = shape
    bordered = np.zeros((count, height + 2, width + 2, channels), columns.dtype)
    taps = columns.reshape(count, height, width, 9, channels)
    for tap in range(9):
        i, j = divmod(tap, 3)
        bordered[:, i : i + height, j : j + width] += taps[:, :, :, tap]
    return bordered[:, 1:-1, 1:-1]


def _pictures(given: Any, *, pooled: bool) -> Run:
    def run() -> list[Any]:
        x, kept = given.x, []
        for f in given.filters:
            columns = _written_out(x)
            y = (columns @ f.reshape(-1, f.shape[-1])).reshape(*x.shape[:3], -1)
            np.maximum(y, 0, out=y)
            blocks = y.reshape(len(y), y.shape[1] // 2, 2, y.shape[2] // 2, 2, -1)
            kept.append((x, columns, y, blocks))
            x = blocks.max(axis=(2, 4)) if pooled else y
        xbar = x * np.float32(2 / x.size)
        gradients = []
        for f, (before, columns, y, blocks) in zip(given.filters[::-1], kept[::-1], strict=True):
            if pooled:
                largest = blocks == blocks.max(axis=(2, 4), keepdims=True)
                xbar = (largest * xbar[:, :, None, :, None]).reshape(y.shape)
            xbar = (xbar * (y > 0)).reshape(-1, y.shape[-1])
            gradients.append((columns.T @ xbar).reshape(f.shape))
            if before is not given.x:
                xbar = _shared_out(xbar @ f.reshape(-1, f.shape[-1]).T, before.shape)
        return gradients[::-1]

    return run


def pictures(given: Any) -> Run:
    return _pictures(given, pooled=False)


def pooled_pictures(given: Any) -> Run:
    return _pictures(given, pooled=True)


def factors(given: Any) -> Run:
    def run() -> list[Any]:
        u, s, vt = np.linalg.svd(given.x)
        root = np.sqrt(s)
        ubar, vbar = given.w @ vt.T * root, given.w.T @ u * root
        sbar = ((u.T @ given.w) * vt).sum(1) * np.float32(0.5) / root
        gaps = s * s - (s * s)[:, None]
        np.fill_diagonal(gaps, np.inf)
        turned_u, turned_v = u.T @ ubar, vt @ vbar
        middle = (turned_u - turned_u.T) / gaps * s + s[:, None] * ((turned_v - turned_v.T) / gaps)
        middle += np.diag(sbar)
        return [u @ middle @ vt]

    return run


def penalty(given: Any) -> Run:
    x, (w1, w2, v) = given.x, given.weights

    def run() -> list[Any]:
        h1 = np.tanh(x @ w1)
        h2 = np.tanh(h1 @ w2)
        d1, d2 = 1 - h1 * h1, 1 - h2 * h2
        u2 = d2 * v.T
        t1 = u2 @ w2.T
        u1 = t1 * d1
        g = u1 @ w1.T
        g *= 2
        w1bar = g.T @ u1
        u1bar = g @ w1
        t1bar = u1bar * d1
        u1bar *= t1
        u1bar *= h1
        u1bar *= -2
        w2bar = t1bar.T @ u2
        u2bar = t1bar @ w2
        vbar = (u2bar * d2).sum(0)[:, None]
        u2bar *= v.T
        u2bar *= h2
        u2bar *= -2
        u2bar *= d2
        w2bar += h1.T @ u2bar
        u1bar += u2bar @ w2.T
        u1bar *= d1
        w1bar += x.T @ u1bar
        return [w1bar, w2bar, vbar]

    return run


def jacobian(given: Any) -> Run:
    def run() -> list[Any]:
        x, derivatives = given.x, []
        for w in given.layers:
            x = np.tanh(x @ w)
            derivatives.append(1 - x * x)
        matrix = derivatives[-1].T * given.layers[-1].T
        for w, derivative in zip(given.layers[-2::-1], derivatives[-2::-1], strict=True):
            matrix = (matrix * derivative) @ w.T
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
