"""`tf.nn`: the functions of layers and losses."""

from itertools import chain

from minitape.core.primitive import public
from minitape.lazy_namespace import helpful_getattr, with_submodules
from minitape.ops import activations, exponential, losses
from minitape.ops.activations import crelu, gelu, leaky_relu, log_softmax, silu, softmax
from minitape.ops.convolution import (
    bias_add,
    conv1d,
    conv2d,
    conv2d_transpose,
    depthwise_conv2d,
    separable_conv2d,
)
from minitape.ops.counting import in_top_k
from minitape.ops.embedding import embedding_lookup
from minitape.ops.losses import (
    compute_average_loss,
    log_poisson_loss,
    scale_regularization_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from minitape.ops.normalization import batch_normalization, dropout, local_response_normalization
from minitape.ops.pooling import (
    avg_pool1d,
    avg_pool2d,
    max_pool1d,
    max_pool2d,
)
from minitape.ops.reordering import space_to_batch
from minitape.ops.sorting import top_k
from minitape.ops.statistics import (
    l2_normalize,
    moments,
    normalize_moments,
    sufficient_statistics,
    weighted_moments,
    zero_fraction,
)

relu = public(activations.relu, "features", about="Return max(x, 0).", page="nn/relu")
relu6 = public(activations.relu6, "features", about="Return min(max(x, 0), 6).", page="nn/relu6")
elu = public(
    activations.elu, "features", about="Return x where x > 0, and eˣ - 1 elsewhere.", page="nn/elu"
)
selu = public(
    activations.selu,
    "features",
    about="Return λ·x where x > 0, and λα·(eˣ - 1) elsewhere.",
    page="nn/selu",
)
softsign = public(
    activations.softsign, "features", about="Return x / (1 + |x|).", page="nn/softsign"
)
sigmoid = public(exponential.sigmoid, "x", about="Return 1 / (1 + e⁻ˣ).", page="nn/sigmoid")
tanh = public(exponential.tanh, "x", about="Return the hyperbolic tangent.", page="nn/tanh")
softplus = public(exponential.softplus, "features", about="Return log(1 + eˣ).", page="nn/softplus")
l2_loss = public(
    losses.l2_loss,
    "t",
    about="Return half the sum of squares.",
    page="nn/l2_loss",
    returns="A scalar with the dtype of `t`.",
)
swish = silu
lrn = local_response_normalization

# Modules that are imported when one of their names is first used.
_LATER = {
    "ops.fields.ctc": ("ctc_loss",),
    "ops.fields.blocks": ("depth_to_space", "space_to_depth"),
    "ops.fields.morphology": ("dilation2d", "erosion2d"),
    "ops.fields.pooling": (
        "avg_pool",
        "avg_pool3d",
        "max_pool",
        "max_pool3d",
        "max_pool_with_argmax",
        "pool",
    ),
    "ops.fields.convolution_nd": (
        "atrous_conv2d",
        "conv1d_transpose",
        "conv3d",
        "conv3d_transpose",
        "conv_transpose",
        "convolution",
    ),
}

__getattr__ = with_submodules(__name__, _LATER, helpful_getattr(__name__))

__all__ = [
    "avg_pool1d",
    "avg_pool2d",
    "batch_normalization",
    "bias_add",
    "compute_average_loss",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "crelu",
    "depthwise_conv2d",
    "dropout",
    "elu",
    "embedding_lookup",
    "gelu",
    "in_top_k",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "local_response_normalization",
    "log_poisson_loss",
    "log_softmax",
    "lrn",
    "max_pool1d",
    "max_pool2d",
    "moments",
    "normalize_moments",
    "relu",
    "relu6",
    "scale_regularization_loss",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "space_to_batch",
    "sparse_softmax_cross_entropy_with_logits",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "zero_fraction",
    *chain.from_iterable(_LATER.values()),
]
