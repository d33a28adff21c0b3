"""Tests that say why a gradient was lost: the fixture `assert_connected`.

    def test_all_layers_learn(assert_connected):
        with tf.GradientTape() as tape:
            loss = model_loss()
        assert_connected(tape, loss, model.trainable_variables)

pytest loads this page in each run of an environment that has minitape, so it imports nothing until the fixture is used. It stands
beside the commands and not in `minitape`, for importing that imports NumPy. `-p no:minitape` keeps it out.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest


@pytest.fixture
def assert_connected() -> Iterator[Callable[..., Any]]:
    """A function: fails with the explanation if a gradient is None, nan or zero, else returns the gradients.

    It takes the tape, `target` and `sources`, as `tape.gradient` does; `allow_zero=True` lets zeros pass. It listens to the whole
    test, so that it knows what went past the tape.
    """
    from minitape.debug.live import record, why_of
    from minitape.debug.report import Outcome

    def check(tape: Any, target: Any, sources: Any, *, allow_zero: bool = False) -> Any:
        __tracebackhide__ = True
        gradients, explanation = why_of(tape, target, sources)
        lost = explanation.without(Outcome.ZERO) if allow_zero else explanation
        if not lost.ok:
            pytest.fail(str(lost), pytrace=False)
        return gradients

    with record():
        yield check
