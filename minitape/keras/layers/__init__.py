"""`tf.keras.layers`: layers, which are callable objects that own their weights.

    `layer`                    the base class `Layer`
    `weight_tracking`          finds the weights of a layer
    `weights`                  the class of a single weight
    `call_arguments`           the arguments of a call, and masks
    `keywords`                 the arguments of a constructor
    `inputs`                   `Input`, the start of a functional model
    `core`                     `Dense`, `Embedding`, `Lambda`, `Masking` ...
    `einsum`                   `EinsumDense`
    `attention`                `Attention`, `MultiHeadAttention`
    `activation`               `Activation`, and activations with settings
    `convolution`              convolutions of sequences and images
    `separable_convolution`    depthwise and separable convolutions
    `convolution_3d`           convolutions and pooling of volumes
    `spatial`                  checks of arguments that convolution and pooling layers share
    `pooling`                  pooling by windows and by channels
    `adaptive_pooling`         pooling to a given output size
    `normalization`            `BatchNormalization`, `LayerNormalization` ...
    `dropout`                  `Dropout` and other noise
    `reshaping`                `Flatten`, `Reshape`, padding, cropping
    `image_preprocessing`      resizing, cropping and flipping of images
    `merging`                  `Add`, `Concatenate`, `Dot` ...
    `cells`                    `SimpleRNNCell`, `LSTMCell`, `GRUCell`
    `recurrent`                layers that run a cell over a sequence
    `wrappers`                 layers that wrap a layer: `Bidirectional`, `TimeDistributed`

Source: https://keras.io/api/layers/
"""

from typing import Any

from minitape.errors import TapeValueError
from minitape.keras import saving
from minitape.keras.layers.activation import ELU, Activation, LeakyReLU, PReLU, ReLU, Softmax
from minitape.keras.layers.adaptive_pooling import (
    AdaptiveAveragePooling1D,
    AdaptiveAveragePooling2D,
    AdaptiveAveragePooling3D,
    AdaptiveMaxPooling1D,
    AdaptiveMaxPooling2D,
    AdaptiveMaxPooling3D,
)
from minitape.keras.layers.attention import AdditiveAttention, Attention, MultiHeadAttention
from minitape.keras.layers.cells import GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells
from minitape.keras.layers.convolution import Conv1D, Conv1DTranspose, Conv2D, Conv2DTranspose
from minitape.keras.layers.convolution_3d import (
    AveragePooling3D,
    AvgPool3D,
    Conv3D,
    Conv3DTranspose,
    GlobalAveragePooling3D,
    GlobalAvgPool3D,
    GlobalMaxPool3D,
    GlobalMaxPooling3D,
    MaxPool3D,
    MaxPooling3D,
)
from minitape.keras.layers.core import (
    ActivityRegularization,
    Dense,
    Embedding,
    Identity,
    Lambda,
    Masking,
    Rescaling,
)
from minitape.keras.layers.dropout import (
    AlphaDropout,
    Dropout,
    GaussianDropout,
    GaussianNoise,
    SpatialDropout1D,
    SpatialDropout2D,
    SpatialDropout3D,
)
from minitape.keras.layers.einsum import EinsumDense
from minitape.keras.layers.image_preprocessing import CenterCrop, RandomFlip, Resizing
from minitape.keras.layers.inputs import Input, InputLayer
from minitape.keras.layers.layer import Layer
from minitape.keras.layers.merging import (
    Add,
    Average,
    Concatenate,
    Dot,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
    add,
    average,
    concatenate,
    dot,
    maximum,
    minimum,
    multiply,
    subtract,
)
from minitape.keras.layers.normalization import (
    BatchNormalization,
    GroupNormalization,
    LayerNormalization,
    Normalization,
    RMSNormalization,
    UnitNormalization,
)
from minitape.keras.layers.pooling import (
    AveragePooling1D,
    AveragePooling2D,
    AvgPool1D,
    AvgPool2D,
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalAvgPool1D,
    GlobalAvgPool2D,
    GlobalMaxPool1D,
    GlobalMaxPool2D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    MaxPool1D,
    MaxPool2D,
    MaxPooling1D,
    MaxPooling2D,
)
from minitape.keras.layers.recurrent import GRU, LSTM, RNN, SimpleRNN
from minitape.keras.layers.reshaping import (
    Cropping1D,
    Cropping2D,
    Cropping3D,
    Flatten,
    Permute,
    RepeatVector,
    Reshape,
    UpSampling1D,
    UpSampling2D,
    UpSampling3D,
    ZeroPadding1D,
    ZeroPadding2D,
    ZeroPadding3D,
)
from minitape.keras.layers.separable_convolution import (
    DepthwiseConv1D,
    DepthwiseConv2D,
    SeparableConv1D,
    SeparableConv2D,
)
from minitape.keras.layers.wrappers import Bidirectional, TimeDistributed, Wrapper

# Keras also exports these classes under a longer name.
Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
Convolution1DTranspose, Convolution2DTranspose = Conv1DTranspose, Conv2DTranspose
Convolution3DTranspose = Conv3DTranspose
SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D


def serialize(layer: Any) -> Any:
    """Convert a layer, without its weights, to a dict of plain values.

    Args:
        layer: A `Layer`.

    Returns:
        A dict that `deserialize` reads; `tf.keras.saving.serialize_keras_object` describes its keys.
    """
    return saving.serialize_keras_object(layer)


def deserialize(config: Any, custom_objects: Any = None) -> Layer:
    """Create a layer from the result of `serialize`, with new weights.

    Args:
        config: The dict that `serialize` returned.
        custom_objects: Dict from names to classes or functions that are not part of Keras.

    Returns:
        A new `Layer` without weights.

    Raises:
        TypeError: the class name is unknown.
        ValueError: `config` describes an object that is not a layer.
    """
    layer = saving.deserialize_keras_object(config, custom_objects)
    if not isinstance(layer, Layer):
        raise TapeValueError(
            "`keras.layers.deserialize` was passed a `config` object that is not a `keras.layers.Layer`. "
            f"Received: {config}",
            fix="call `deserialize(serialize(layer))`",
        )
    return layer


__all__ = [
    "ELU",
    "GRU",
    "LSTM",
    "RNN",
    "Activation",
    "ActivityRegularization",
    "AdaptiveAveragePooling1D",
    "AdaptiveAveragePooling2D",
    "AdaptiveAveragePooling3D",
    "AdaptiveMaxPooling1D",
    "AdaptiveMaxPooling2D",
    "AdaptiveMaxPooling3D",
    "Add",
    "AdditiveAttention",
    "AlphaDropout",
    "Attention",
    "Average",
    "AveragePooling1D",
    "AveragePooling2D",
    "AveragePooling3D",
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "BatchNormalization",
    "Bidirectional",
    "CenterCrop",
    "Concatenate",
    "Conv1D",
    "Conv1DTranspose",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "Convolution1D",
    "Convolution1DTranspose",
    "Convolution2D",
    "Convolution2DTranspose",
    "Convolution3D",
    "Convolution3DTranspose",
    "Cropping1D",
    "Cropping2D",
    "Cropping3D",
    "Dense",
    "DepthwiseConv1D",
    "DepthwiseConv2D",
    "Dot",
    "Dropout",
    "EinsumDense",
    "Embedding",
    "Flatten",
    "GRUCell",
    "GaussianDropout",
    "GaussianNoise",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalAveragePooling3D",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalAvgPool3D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPool3D",
    "GlobalMaxPooling1D",
    "GlobalMaxPooling2D",
    "GlobalMaxPooling3D",
    "GroupNormalization",
    "Identity",
    "Input",
    "InputLayer",
    "LSTMCell",
    "Lambda",
    "Layer",
    "LayerNormalization",
    "LeakyReLU",
    "Masking",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
    "MaxPooling1D",
    "MaxPooling2D",
    "MaxPooling3D",
    "Maximum",
    "Minimum",
    "MultiHeadAttention",
    "Multiply",
    "Normalization",
    "PReLU",
    "Permute",
    "RMSNormalization",
    "RandomFlip",
    "ReLU",
    "RepeatVector",
    "Rescaling",
    "Reshape",
    "Resizing",
    "SeparableConv1D",
    "SeparableConv2D",
    "SeparableConvolution1D",
    "SeparableConvolution2D",
    "SimpleRNN",
    "SimpleRNNCell",
    "Softmax",
    "SpatialDropout1D",
    "SpatialDropout2D",
    "SpatialDropout3D",
    "StackedRNNCells",
    "Subtract",
    "TimeDistributed",
    "UnitNormalization",
    "UpSampling1D",
    "UpSampling2D",
    "UpSampling3D",
    "Wrapper",
    "ZeroPadding1D",
    "ZeroPadding2D",
    "ZeroPadding3D",
    "add",
    "average",
    "concatenate",
    "deserialize",
    "dot",
    "maximum",
    "minimum",
    "multiply",
    "serialize",
    "subtract",
]
