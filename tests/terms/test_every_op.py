"""For every op of the catalog, the terms of each number that its rule returns add up to that number."""

import functools

import numpy as np
from samples import Sample, cotangent
from terms.queries import Asked, total

import minitape as tf


@functools.cache
def requested(sample: Sample) -> Asked:
    """A gradient through one op, with all numbers in the trace."""
    with tf.debug.record() as recording:
        inputs = tuple(map(tf.constant, sample.inputs))
        sources = [inputs[position] for position in sample.smooth]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = sample.run(*inputs)
        ys = y if isinstance(y, tuple) else (y,)
        smooth = [each for each in ys if each.dtype.is_differentiable]
        seeds = [tf.constant(cotangent(each.numpy(), seed=9)) for each in smooth]
        tape.gradient(smooth, sources, output_gradients=seeds)
    return Asked.of(recording.trace)


def test_terms_of_a_cotangent_add_up_to_it(sample: Sample) -> None:
    """They do not add up by chance, because each name leads to an element with this number."""
    sent = list(requested(sample).contributions())
    assert sent
    for expansion in sent:
        assert not expansion.word or expansion.word.startswith(
            "No part of the gradient that arrived"
        )
        np.testing.assert_allclose(total(expansion), expansion.number, rtol=1e-9, atol=1e-12)
        for term in expansion.terms:
            for factor in term.factors:
                if factor.leads is not None:
                    number = requested(sample).expansions.of(factor.leads).number
                    if factor.text.startswith("part of "):
                        # A function of a complex number is not always a product with it.
                        assert isinstance(number, complex)
                        continue
                    is_turned = factor.text.startswith("conj(")
                    assert factor.number == (np.conj(number) if is_turned else number)


def test_computed_number_is_sum_of_its_terms_or_a_function_of_them(
    sample: Sample,
) -> None:
    for expansion in requested(sample).values():
        assert expansion.terms or expansion.word
        if expansion.terms and not expansion.function:
            np.testing.assert_allclose(total(expansion), expansion.number, rtol=1e-9, atol=1e-12)
