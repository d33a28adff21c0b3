"""`tf.nn`: what layers are made of."""

from minitape.core.primitive import public
from minitape.ops import exponential
from minitape.ops.picking import gather

sigmoid = public(exponential.sigmoid, "x")
tanh = public(exponential.tanh, "x")
softplus = public(exponential.softplus, "features")
