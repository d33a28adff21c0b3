"""`tf.nn`: what layers and losses are made of."""

from minitape.core.primitive import public
from minitape.ops import activations, exponential, losses
from minitape.ops.activations import gelu, leaky_relu, log_softmax, silu, softmax
from minitape.ops.extremes import top_k
from minitape.ops.losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from minitape.ops.picking import gather as embedding_lookup
from minitape.ops.statistics import l2_normalize, moments

relu = public(activations.relu, "features")
relu6 = public(activations.relu6, "features")
elu = public(activations.elu, "features")
selu = public(activations.selu, "features")
softsign = public(activations.softsign, "features")
sigmoid = public(exponential.sigmoid, "x")
tanh = public(exponential.tanh, "x")
softplus = public(exponential.softplus, "features")
l2_loss = public(losses.l2_loss, "t")
swish = silu

__all__ = [
    "elu",
    "embedding_lookup",
    "gelu",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "log_softmax",
    "moments",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "sparse_softmax_cross_entropy_with_logits",
    "swish",
    "tanh",
    "top_k",
]
