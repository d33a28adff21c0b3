"""The workloads: small programs, each of one size, and the input arrays that all frameworks receive.

A workload names a function that `by_hand.py`, `with_tape.py`, `with_torch.py` and `with_autograd.py` define. It takes the
inputs, and returns a function without arguments that does the work and returns the resulting arrays. A framework that does not
define the function has no result in that row.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Workload:
    """A row: `kind` is "time", "memory" (the peak, in arrays of the input's size) or "start" (of a whole Python process)."""

    title: str
    program: str
    size: int = 0
    kind: str = "time"
    quick: bool = True


WORKLOADS = (
    Workload("1,000 scalar ops, no tape", "scalars_untaped", 1000),
    Workload("1,000 scalar ops, gradient", "scalars", 1000),
    Workload("100 ops on 1,000 elements, gradient", "vectors", 1000),
    Workload("100 ops on 1,000,000 elements, gradient", "vectors", 1_000_000, quick=False),
    Workload("network 784-128-10, SGD step, batch 32", "network", 32),
    Workload("network 784-128-10, SGD step, batch 256", "network", 256),
    Workload("50 tanh layers of 64, batch 16, gradient", "deep", 50),
    Workload("recurrent network, 200 steps of 64, gradient", "recurrent", 200),
    Workload("256 rows of a table of 200,000, gradient", "rows", 200_000),
    Workload("256 rows of a table of 200,000, SGD step", "embedding", 200_000),
    Workload("two convolutions of 64 filters, 32×32, batch 32, gradient", "pictures", 32),
    Workload("the same with max-pooling after each", "pooled_pictures", 32),
    Workload("svd of 60×60, gradient", "factors", 60),
    Workload("Jacobian 128 → 128", "jacobian", 128),
    Workload("Hessian-vector product, 50 weights", "hessian_vector", 50),
    Workload("gradient of a gradient norm, batch 64", "penalty", 64),
    Workload("gradient over a tape of 1,000 ops", "long_tape", 1000),
    Workload("gradient over a tape of 20,000 ops", "long_tape", 20_000, quick=False),
    Workload("memory: 200 additions and negations", "linear_chain", 1_000_000, "memory"),
    Workload("memory: 200 x relu", "relu_chain", 1_000_000, "memory"),
    Workload("memory: 200 x tanh", "tanh_chain", 1_000_000, "memory"),
    Workload("import, as a whole process", "import", kind="start"),
)

CHAIN = 200  # number of ops in the chains whose memory is measured
LOOPS = 20  # iterations of five ops each, in `vectors`
RATE = 0.01


def inputs(workload: Workload) -> Any:
    """The same arrays for every framework."""
    random = np.random.default_rng(7)
    size = workload.size

    def normal(*shape: int, scale: float = 1.0) -> Any:
        return (scale * random.normal(size=shape)).astype(np.float32)

    match workload.program:
        case "scalars" | "scalars_untaped" | "long_tape":
            return SimpleNamespace(
                x=np.float32(0.7), w=np.float32(0.9999), b=np.float32(0.01), size=size
            )
        case "vectors":
            return SimpleNamespace(x=normal(size), w=normal(size), b=normal(size))
        case "network":
            return SimpleNamespace(
                x=normal(size, 784),
                labels=random.integers(0, 10, size).astype(np.int32),
                weights=[
                    normal(784, 128, scale=0.03),
                    normal(128),
                    normal(128, 10, scale=0.1),
                    normal(10),
                ],
            )
        case "deep":
            layers = [normal(64, 64, scale=0.12) for _ in range(size)]
            return SimpleNamespace(x=normal(16, 64), layers=layers)
        case "recurrent":
            steps = [normal(16, 32) for _ in range(size)]
            weights = [normal(32, 64, scale=0.1), normal(64, 64, scale=0.1), normal(64)]
            return SimpleNamespace(steps=steps, h=normal(16, 64), weights=weights)
        case "pictures" | "pooled_pictures":
            filters = [normal(3, 3, 3, 64, scale=0.2), normal(3, 3, 64, 64, scale=0.05)]
            return SimpleNamespace(x=normal(size, 32, 32, 3), filters=filters)
        case "factors":
            return SimpleNamespace(x=normal(size, size), w=normal(size, size))
        case "penalty":
            weights = [normal(64, 64, scale=0.1), normal(64, 64, scale=0.1), normal(64, 1)]
            return SimpleNamespace(x=normal(size, 64), weights=weights)
        case "embedding" | "rows":
            rows = random.integers(0, size, 256).astype(np.int32)
            return SimpleNamespace(table=normal(size, 64), rows=rows)
        case "jacobian":
            layers = [normal(size, size, scale=size**-0.5) for _ in range(3)]
            return SimpleNamespace(x=normal(1, size), layers=layers)
        case "hessian_vector":
            labels = random.integers(0, 2, (256, 1)).astype(np.float32)
            return SimpleNamespace(
                x=normal(256, size), labels=labels, w=normal(size, 1), v=normal(size, 1)
            )
        case "linear_chain" | "relu_chain" | "tanh_chain":
            return SimpleNamespace(x=abs(normal(size)) + np.float32(0.5))
    raise ValueError(workload.program)
