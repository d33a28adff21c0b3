"""`tf.keras.layers`: functions that own their weights.

    layer          Layer, the base: weights are made when the first input shows how large they must be
    symbol         what a layer would answer, for models that are drawn
    core           Dense, Embedding, Lambda, Input
    activating     Activation and those with settings
    convolving     convolutions and pooling
    normalising    BatchNormalization, LayerNormalization, Dropout
    shaping        Flatten, Reshape ...
    merging        Add, Concatenate ...
    recurring      SimpleRNN, LSTM, GRU and their cells

Source: https://keras.io/api/layers/
"""

from minitape.keras.layers.activating import ELU, Activation, LeakyReLU, PReLU, ReLU, Softmax
from minitape.keras.layers.convolving import (
    AveragePooling1D,
    AveragePooling2D,
    Conv1D,
    Conv2D,
    Conv2DTranspose,
    DepthwiseConv2D,
    GlobalAveragePooling1D,
    GlobalAveragePooling2D,
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    MaxPooling1D,
    MaxPooling2D,
)
from minitape.keras.layers.core import Dense, Embedding, Input, InputLayer, Lambda
from minitape.keras.layers.layer import Layer
from minitape.keras.layers.merging import (
    Add,
    Average,
    Concatenate,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
    add,
    average,
    concatenate,
    maximum,
    minimum,
    multiply,
    subtract,
)
from minitape.keras.layers.normalising import (
    BatchNormalization,
    Dropout,
    GaussianNoise,
    LayerNormalization,
)
from minitape.keras.layers.recurring import (
    GRU,
    LSTM,
    RNN,
    GRUCell,
    LSTMCell,
    SimpleRNN,
    SimpleRNNCell,
)
from minitape.keras.layers.shaping import (
    Flatten,
    Permute,
    RepeatVector,
    Reshape,
    UpSampling2D,
    ZeroPadding2D,
)

AvgPool1D = AveragePooling1D
AvgPool2D = AveragePooling2D
Convolution2D = Conv2D
GlobalAvgPool2D = GlobalAveragePooling2D
GlobalMaxPool2D = GlobalMaxPooling2D
MaxPool1D = MaxPooling1D
MaxPool2D = MaxPooling2D

__all__ = [
    "ELU",
    "GRU",
    "LSTM",
    "RNN",
    "Activation",
    "Add",
    "Average",
    "AveragePooling1D",
    "AveragePooling2D",
    "AvgPool1D",
    "AvgPool2D",
    "BatchNormalization",
    "Concatenate",
    "Conv1D",
    "Conv2D",
    "Conv2DTranspose",
    "Convolution2D",
    "Dense",
    "DepthwiseConv2D",
    "Dropout",
    "Embedding",
    "Flatten",
    "GRUCell",
    "GaussianNoise",
    "GlobalAveragePooling1D",
    "GlobalAveragePooling2D",
    "GlobalAvgPool2D",
    "GlobalMaxPool2D",
    "GlobalMaxPooling1D",
    "GlobalMaxPooling2D",
    "Input",
    "InputLayer",
    "LSTMCell",
    "Lambda",
    "Layer",
    "LayerNormalization",
    "LeakyReLU",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPooling1D",
    "MaxPooling2D",
    "Maximum",
    "Minimum",
    "Multiply",
    "PReLU",
    "Permute",
    "ReLU",
    "RepeatVector",
    "Reshape",
    "SimpleRNN",
    "SimpleRNNCell",
    "Softmax",
    "Subtract",
    "UpSampling2D",
    "ZeroPadding2D",
    "add",
    "average",
    "concatenate",
    "maximum",
    "minimum",
    "multiply",
    "subtract",
]
