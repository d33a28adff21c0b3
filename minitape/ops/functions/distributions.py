"""Random numbers from further distributions.

    gamma, stateless_gamma          a gamma distribution; differentiable with respect to its parameters
    poisson, stateless_poisson      a Poisson distribution: integers, so not differentiable
    stateless_categorical           classes with given probabilities

When a parameter changes, a drawn number changes so that its cumulative probability remains the same. So its
derivative is -∂F/∂parameter divided by the density ∂F/∂number (implicit reparameterization).

Unlike in TensorFlow, the numbers come from NumPy's generator, so they are different for the same seed.

Source: https://www.tensorflow.org/api_docs/python/tf/random; M. Figurnov, S. Mohamed, A. Mnih, "Implicit reparameterization
gradients" (2018).
"""

from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.batched import raw_dtype
from minitape.core.convert import as_operand, convert_to_tensor, read_once
from minitape.core.declaration import not_registered
from minitape.core.primitive import Primitive
from minitape.core.values import Array, Ints, Value
from minitape.errors import InvalidArgumentError, TapeValueError
from minitape.ops.axes import as_ints, as_sizes, whole_number
from minitape.ops.creation import zeros_like
from minitape.ops.functions.gammas import _by_a, _log_gamma
from minitape.ops.identity import stop_gradient
from minitape.ops.random import _categorical
from minitape.ops.seeds import source, stateless


def _moving(alpha: Value, drawn: Array) -> Value:
    """Return the drawn numbers as values that are differentiable with respect to the parameter."""
    numbers = np.asarray(alpha, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        bell = np.exp((numbers - 1) * np.log(drawn) - drawn - _log_gamma(numbers))
        derivatives = np.nan_to_num(-_by_a(numbers, np.asarray(drawn, np.float64)) / bell)
    still = alpha - stop_gradient(alpha)
    return still * derivatives.astype(raw_dtype(alpha)) + drawn.astype(raw_dtype(alpha))


def _check_ends_in(shape: Ints, own: Ints) -> None:
    if shape[max(0, len(shape) - len(own)) :] != own:
        raise InvalidArgumentError(
            f"Shape passed in must end with broadcasted shape: {list(shape)} does not end in {list(own)}.",
            fix=f"pass `shape={[*shape, *own]}`, which draws samples for each parameter",
            code="MT507",
        )


def _gamma(shape: Ints, alpha: Any, beta: Any, dtype: Any, generator: Any) -> Value:
    wanted = dtypes.as_dtype(dtype)
    if not wanted.is_floating:
        raise TapeValueError(
            f"`gamma` draws floats, but `dtype` is {wanted.name}.", fix="pass `dtype=tf.float32`"
        )
    a = convert_to_tensor(alpha, dtype=wanted)
    rate = None if beta is None else convert_to_tensor(beta, dtype=wanted)
    a = a if rate is None else a + zeros_like(rate)
    numbers = np.asarray(a)
    _check_ends_in(shape, numbers.shape)
    drawn = np.maximum(
        generator.standard_gamma(numbers, shape), dtypes.limits_of(wanted.numpy).tiny
    )
    moving = _moving(a, np.asarray(drawn))
    return moving if rate is None else moving / rate


def gamma(
    shape: Any,
    alpha: Value,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Value:
    """Draw numbers from a gamma distribution.

    Args:
        shape: The number of draws for each element of the parameters, as a shape.
        alpha: The shape parameter, a tensor with a float dtype.
        beta: The rate parameter, which broadcasts with `alpha`; 1 by default.
        dtype: A float dtype.
        seed: An integer, which is combined with the seed of `tf.random.set_seed`.
        name: Ignored.

    Returns:
        A tensor of shape `shape` + the broadcast shape of the parameters.

    Raises:
        ValueError: `dtype` is not a float dtype.

    Gradient: The first derivative with respect to `alpha` and `beta` is supported. It is computed by implicit reparameterization.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/gamma
    """
    sizes = [tuple(read_once(each).shape) for each in (alpha, beta) if each is not None]
    whole = (*as_ints(shape), *np.broadcast_shapes(*sizes))
    return _gamma(whole, alpha, beta, dtype, source.generator_for(seed))


def stateless_gamma(
    shape: Any,
    seed: Any,
    alpha: Value,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Value:
    """Draw numbers from a gamma distribution; the same `seed` always returns the same result.

    Args:
        shape: The shape of the result, to which the parameters broadcast.
        seed: Two integers.
        alpha: The shape parameter, a tensor with a float dtype.
        beta: The rate parameter; 1 by default.
        dtype: A float dtype.
        name: Ignored.

    Returns:
        A tensor of shape `shape`.

    Raises:
        ValueError: `dtype` is not a float dtype.

    Gradient: It is computed as for `gamma`.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_gamma
    """
    return _gamma(as_sizes(shape), alpha, beta, dtype, stateless(seed))


# --- counts ---


_poisson: Primitive = Primitive(
    "RandomPoissonV2",
    lambda lam, *, shape, generator, dtype: np.asarray(generator.poisson(lam, shape)).astype(dtype),
    vjp=not_registered(reason="TensorFlow has no rule for `poisson`, whose samples are integers"),
    dtype_kinds="fiu",
)


def poisson(
    shape: Any,
    lam: Value,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Value:
    """Draw numbers from a Poisson distribution.

    Args:
        shape: The number of draws for each rate, as a shape.
        lam: The rates; real numbers.
        dtype: The dtype of the result.
        seed: An integer, which is combined with the seed of `tf.random.set_seed`.
        name: Ignored.

    Returns:
        A tensor of shape `shape` + the shape of `lam`.

    Gradient: Requesting it raises LookupError, as in TensorFlow.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/poisson
    """
    rates = read_once(lam)
    whole = (*as_ints(shape), *rates.shape)
    wanted = dtypes.as_dtype(dtype).numpy
    return _poisson(rates, shape=whole, generator=source.generator_for(seed), dtype=wanted)


def stateless_poisson(
    shape: Any, seed: Any, lam: Value, dtype: Any = dtypes.int32, name: str | None = None
) -> Value:
    """Draw numbers from a Poisson distribution; the same `seed` always returns the same result.

    Args:
        shape: The shape of the result, to which `lam` broadcasts.
        seed: Two integers.
        lam: The rates; real numbers.
        dtype: The dtype of the result.
        name: Ignored.

    Returns:
        A tensor of shape `shape`.

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_poisson
    """
    wanted = dtypes.as_dtype(dtype).numpy
    rates = stop_gradient(read_once(lam))
    return _poisson(rates, shape=as_ints(shape), generator=stateless(seed), dtype=wanted)


def stateless_categorical(
    logits: Value,
    num_samples: Any,
    seed: Any,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Value:
    """Draw classes with the probabilities softmax(logits); the same `seed` always returns the same result.

    Args:
        logits: A tensor of shape [rows, classes]: unnormalized log-probabilities.
        num_samples: The number of draws for each row.
        seed: Two integers.
        dtype: The dtype of the result.
        name: Ignored.

    Returns:
        A tensor of shape [rows, num_samples].

    Source: https://www.tensorflow.org/api_docs/python/tf/random/stateless_categorical
    """
    return _categorical(
        as_operand(logits),
        num_samples=whole_number(num_samples),
        generator=stateless(seed),
        dtype=dtypes.as_dtype(dtype).numpy,
    )
