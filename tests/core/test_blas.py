"""Small matrix products run on one thread, and the limit is removed afterwards."""

import sys
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.core import blas


class Library:
    """A BLAS with eight threads, as threadpoolctl shows it, which records the number of threads whenever it is queried."""

    def __init__(self) -> None:
        self.threads = 8
        self.seen: list[int] = []

    def info(self) -> list[dict[str, Any]]:
        return [{"num_threads": self.threads}]

    @contextmanager
    def limit(self, limits: int) -> Any:
        before, self.threads = self.threads, limits
        try:
            yield
        finally:
            self.threads = before


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Any:
    library = Library()
    matmul, svd = np.matmul, np.linalg.svd
    monkeypatch.setattr(blas, "blas_in_use", lambda: library)
    monkeypatch.setattr(
        np, "matmul", lambda a, b: library.seen.append(library.threads) or matmul(a, b)
    )
    monkeypatch.setattr(
        np.linalg, "svd", lambda *a, **k: library.seen.append(library.threads) or svd(*a, **k)
    )
    blas._limit.cache_clear()
    yield library
    blas._limit.cache_clear()


@pytest.mark.parametrize(("size", "threads"), [(64, 8), (65, 1), (256, 1), (500, 8)])
def test_product_of_less_than_a_millisecond_uses_one_thread(
    size: int, threads: int, library: Library
) -> None:
    """Up to 64 × 64, a BLAS uses one thread automatically, so there is nothing to limit."""
    x = tf.zeros((size, size))
    x @ x
    assert library.seen == [threads]
    assert library.threads == 8


def test_backward_pass_limits_threads_too(library: Library) -> None:
    x = tf.Variable(tf.zeros((80, 80)))
    with tf.GradientTape() as tape:
        y = x @ x
    tape.gradient(y, x)
    assert library.seen == [1, 1, 1]


def test_small_factorization_uses_one_thread(library: Library) -> None:
    tf.linalg.svd(tf.eye(60))
    assert library.seen == [1]


def test_convolution_strips_use_one_thread(library: Library) -> None:
    tf.nn.conv2d(tf.zeros((8, 32, 32, 32)), tf.zeros((3, 3, 32, 32)), 1, "SAME")
    assert set(library.seen) == {1}


def test_limit_is_removed_after_an_error(library: Library) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.linalg.inv(tf.zeros((32, 32)))
    assert library.threads == 8


def test_single_threaded_blas_is_not_limited(library: Library) -> None:
    library.threads = 1
    library.limit = None  # type: ignore[assignment,method-assign]  # it would fail if called
    x = tf.zeros((80, 80))
    x @ x
    assert library.seen == [1]


def test_product_works_without_threadpoolctl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    assert blas.blas_in_use() is None
    blas._limit.cache_clear()
    x = tf.eye(64)
    assert (x @ x).numpy().trace() == 64
    blas._limit.cache_clear()


def test_real_blas_is_limited_and_restored() -> None:
    """With the BLAS of this process; on one core the test cannot show anything."""
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="threadpoolctl is not installed")
    blas._limit.cache_clear()
    before = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    with blas.one_thread():
        inside = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    after = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    assert all(library["num_threads"] == 1 for library in inside)
    assert after == before
