"""Small products of matrices run on one thread, and the limit is gone when they are made."""

import sys
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.core import blas


class Library:
    """A BLAS of eight threads, as threadpoolctl shows it, that notes how many it has when asked."""

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
def test_what_a_core_does_in_a_millisecond_one_thread_does(
    size: int, threads: int, library: Library
) -> None:
    """Up to 64 × 64 a BLAS uses one thread by itself: there is nothing to limit."""
    x = tf.zeros((size, size))
    x @ x
    assert library.seen == [threads]
    assert library.threads == 8


def test_the_walk_back_goes_by_the_same_rule(library: Library) -> None:
    x = tf.Variable(tf.zeros((80, 80)))
    with tf.GradientTape() as tape:
        y = x @ x
    tape.gradient(y, x)
    assert library.seen == [1, 1, 1]


def test_a_small_matrix_is_taken_apart_on_one_thread(library: Library) -> None:
    tf.linalg.svd(tf.eye(60))
    assert library.seen == [1]


def test_the_strips_of_a_convolution_are_small_products(library: Library) -> None:
    tf.nn.conv2d(tf.zeros((8, 32, 32, 32)), tf.zeros((3, 3, 32, 32)), 1, "SAME")
    assert set(library.seen) == {1}


def test_the_limit_is_gone_after_an_error_too(library: Library) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.linalg.inv(tf.zeros((32, 32)))
    assert library.threads == 8


def test_a_blas_of_one_thread_is_left_alone(library: Library) -> None:
    library.threads = 1
    library.limit = None  # type: ignore[assignment,method-assign]  # it would fail if called
    x = tf.zeros((80, 80))
    x @ x
    assert library.seen == [1]


def test_without_threadpoolctl_the_blas_does_as_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    assert blas.blas_in_use() is None
    blas._limit.cache_clear()
    x = tf.eye(64)
    assert (x @ x).numpy().trace() == 64
    blas._limit.cache_clear()


def test_the_real_one_is_limited_and_given_back() -> None:
    """With the BLAS of this process, whatever it is; on one core there is nothing to see."""
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="threadpoolctl is not installed")
    blas._limit.cache_clear()
    before = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    with blas.one_thread():
        inside = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    after = threadpoolctl.ThreadpoolController().select(user_api="blas").info()
    assert all(library["num_threads"] == 1 for library in inside)
    assert after == before
