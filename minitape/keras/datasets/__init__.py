"""`tf.keras.datasets`: the small collections that examples learn from, from Keras's folder or from the network.

    mnist, fashion_mnist                  grey pictures of 28x28, ten classes
    cifar10, cifar100                     coloured pictures of 32x32, ten and a hundred classes
    imdb, reuters                         texts as lists of word numbers: good or bad, 46 topics
    boston_housing, california_housing    numbers about houses, and their prices

Each has `load_data`, which gives ((x_train, y_train), (x_test, y_test)) as NumPy arrays. A file that is not in Keras's folder
(~/.keras/datasets, or KERAS_HOME) is downloaded into it; where there is no network, the error says which file to put where.

    storage    where the files come from; how they are read, shuffled and split
    texts      what imdb and reuters share

Source: https://keras.io/api/datasets/
"""

from minitape.keras.datasets import (
    boston_housing,
    california_housing,
    cifar10,
    cifar100,
    fashion_mnist,
    imdb,
    mnist,
    reuters,
)

__all__ = [
    "boston_housing",
    "california_housing",
    "cifar10",
    "cifar100",
    "fashion_mnist",
    "imdb",
    "mnist",
    "reuters",
]
