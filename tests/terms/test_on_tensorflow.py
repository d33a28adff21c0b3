"""Terms of numbers in a run on TensorFlow: minitape recomputes its ops."""

from pathlib import Path

import numpy as np
import pytest
from terms.queries import Asked, total

from minitape.trace.reading import read

RECORDED = Path(__file__).parents[1] / "verify" / "on_tensorflow" / "ops.jsonl"


@pytest.fixture(scope="module")
def requested() -> Asked:
    return Asked.of(read(RECORDED))


def test_tensorflow_cotangent_is_the_sum_of_its_terms(requested: Asked) -> None:
    """TensorFlow's numbers have seven digits, of which the last ones differ from minitape's."""
    sent = list(requested.contributions())
    assert len(sent) > 1000
    for expansion in sent:
        assert not expansion.word or expansion.word.startswith(
            "No part of the gradient that arrived"
        )
        np.testing.assert_allclose(total(expansion), expansion.number, rtol=1e-4, atol=1e-6)


def test_tensorflow_value_is_sum_of_its_terms_or_a_function_of_them(
    requested: Asked,
) -> None:
    unknown = set()
    for expansion in requested.values():
        if expansion.terms and not expansion.function:
            np.testing.assert_allclose(total(expansion), expansion.number, rtol=1e-4, atol=1e-6)
        if not expansion.terms:
            unknown.add(expansion.word)
    assert unknown == {
        "The op is not differentiable, so its terms are not known.",
        "It does not contain any element of the inputs.",
        "It does not depend on any element of the inputs here, because its derivatives are 0.",
    }
