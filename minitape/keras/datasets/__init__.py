"""`tf.keras.datasets`: small data sets, from Keras's directory or from the network.

    mnist, fashion_mnist                  grayscale images of 28x28, ten classes
    cifar10, cifar100                     color images of 32x32, ten and a hundred classes
    imdb, reuters                         texts as lists of word indices: sentiment, 46 topics
    boston_housing, california_housing    features of houses, and their prices

Each module has a function `load_data`, which returns ((x_train, y_train), (x_test, y_test)) as NumPy arrays. A file that is
not in Keras's directory (~/.keras/datasets, or KERAS_HOME) is downloaded; without a network, the error names the file to
download and its location.

    `storage`    downloads, reads, shuffles and splits the files
    `texts`      the code that imdb and reuters share

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
