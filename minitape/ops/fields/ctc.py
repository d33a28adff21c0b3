"""A loss for sequences whose labels are not aligned with their frames.

    ctc_loss    the negative log probability of the labels, summed over all alignments

The labels a b may be read from five frames as `_aab_`, `a_bbb` and so on, where `_` is a blank and repeated labels count once.
Their probability is the sum over all alignments, which is computed frame by frame. The states are the labels with blanks between
them. Each state can be followed by the same state, by the next state, or by the next label if that label is different.

Source: A. Graves, S. Fernández, F. Gomez, J. Schmidhuber, "Connectionist temporal classification" (2006).
"""

from typing import Any

import numpy as np

from minitape.core.batched import raw_dtype
from minitape.core.convert import as_array, read_once
from minitape.core.values import Array, Value
from minitape.errors import InvalidArgumentError, TapeValueError, UnimplementedError
from minitape.ops.activations import log_softmax
from minitape.ops.indexing import gather, where
from minitape.ops.joining import concat, stack
from minitape.ops.products import einsum
from minitape.ops.reshaping import transpose
from minitape.ops.statistics import reduce_logsumexp

# The logarithm of a probability of 0: small enough to be negligible, but finite, so that no derivative is NaN.
_NEVER = -1e9


def ctc_loss(
    labels: Value,
    logits: Value,
    label_length: Value,
    logit_length: Value,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: Any = None,
    name: str | None = None,
) -> Value:
    """Return -log of the probability of the labels, summed over all their alignments.

    Args:
        labels: An integer tensor of shape [batch, max_labels]; elements beyond `label_length` are ignored.
        logits: A tensor of shape [frames, batch, classes] with a float dtype.
        label_length: A tensor of shape [batch].
        logit_length: A tensor of shape [batch].
        logits_time_major: Whether the frames are the first axis; False for logits of shape [batch, frames, classes].
        unique: Not supported; in TensorFlow it only affects speed.
        blank_index: The class of the blank; by default 0; a negative index counts from the last class.
        name: Ignored.

    Returns:
        A tensor of shape [batch].

    Raises:
        ValueError: a length is missing.
        InvalidArgumentError: the shapes do not fit.
        UnimplementedError: `unique` is given.

    Gradient: Derivatives of any order with respect to the logits are supported, including batched ones. A tape records the steps
    from frame to frame.

    Unlike in TensorFlow, labels with more elements than frames have a loss of a billion (about 709 in TensorFlow), and the
    second derivative is finite (NaN in TensorFlow).

    Source: https://www.tensorflow.org/api_docs/python/tf/nn/ctc_loss
    """
    if unique is not None:
        raise UnimplementedError("`ctc_loss` does not support `unique`.", fix="pass `unique=None`")
    if label_length is None or logit_length is None:
        raise TapeValueError(
            "`ctc_loss` requires `label_length` and `logit_length`, but one of them is `None`.",
            fix="pass one length for each example in the batch: `label_length=[2, 1], logit_length=[5, 4]`",
        )
    scores = read_once(logits) if logits_time_major else transpose(read_once(logits), [1, 0, 2])
    numbers, counts, lengths = (
        as_array(each, None) for each in (labels, label_length, logit_length)
    )
    moments, batch, classes = _checked(scores, numbers, counts, lengths)
    blank = int(blank_index or 0) % classes
    states = np.full((batch, 2 * numbers.shape[1] + 1), blank)
    states[:, 1::2] = numbers
    return -_total(log_softmax(scores), states, blank, counts, lengths, moments)


def _checked(scores: Value, labels: Array, counts: Array, lengths: Array) -> tuple[int, int, int]:
    shape = tuple(scores.shape)
    fits = len(shape) == 3 and labels.ndim == 2 and len(labels) == shape[1]
    if not fits or counts.shape != (shape[1],) or lengths.shape != (shape[1],):
        raise InvalidArgumentError(
            "`ctc_loss` requires logits of shape `[frames, batch, classes]`, labels of shape `[batch, max_labels]` and two "
            f"lengths of shape `[batch]`, but the shapes are {shape}, {labels.shape}, {counts.shape} and {lengths.shape}.",
            fix="pass `logits_time_major=False` for logits of shape `[batch, frames, classes]`",
            code="MT507",
        )
    moments, batch, classes = shape
    return moments, batch, classes


def _total(
    logs: Value, states: Array, blank: int, counts: Array, lengths: Array, moments: int
) -> Value:
    """Return the logarithm of the sum over all alignments that end at the last label or at the blank after it."""
    dtype = raw_dtype(logs)
    here = (states[:, :, None] == np.arange(logs.shape[-1])).astype(dtype)
    seen = einsum("tbc,bsc->tbs", logs, here)
    may_skip = np.zeros(states.shape, bool)
    may_skip[:, 2:] = (states[:, 2:] != blank) & (states[:, 2:] != states[:, :-2])
    never = np.full(states.shape, _NEVER, dtype)
    begins = np.arange(states.shape[1]) < 2
    walk = where(np.broadcast_to(begins, states.shape), seen[0], never)
    for moment in range(1, moments):
        one, two = _moved(walk, never, 1), where(may_skip, _moved(walk, never, 2), never)
        onward = reduce_logsumexp(stack([walk, one, two]), axis=0) + seen[moment]
        goes_on = np.broadcast_to((moment < lengths)[:, None], states.shape)
        walk = where(goes_on, onward, walk)
    ends = np.stack([2 * counts, np.maximum(2 * counts - 1, 0)], axis=1)
    last = gather(walk, ends, batch_dims=1)
    # Without labels there is only one end state, which must be counted only once.
    both = where(
        np.stack([counts >= 0, counts > 0], axis=1), last, np.full(ends.shape, _NEVER, dtype)
    )
    return reduce_logsumexp(both, axis=1)


def _moved(walk: Value, never: Array, steps: int) -> Value:
    """Return the values, shifted by a number of states."""
    return concat([never[:, :steps], walk[:, :-steps]], axis=1)
