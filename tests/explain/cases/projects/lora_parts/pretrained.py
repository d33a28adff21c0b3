import numpy as np


class Backbone:
    """Stands for a network whose weights were loaded from a file."""

    def __init__(self, inputs, width, depth=2, seed=5):
        rng = np.random.default_rng(seed)
        self.width = width
        sizes = [inputs] + [width] * depth
        self.kernels = [
            rng.normal(0.0, a**-0.5, (a, b)).astype("float32") for a, b in zip(sizes, sizes[1:])
        ]
        self.biases = [rng.normal(0.0, 0.1, b).astype("float32") for b in sizes[1:]]

    def frozen(self):
        return list(zip(self.kernels, self.biases))
