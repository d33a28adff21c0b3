"""`tf.train`: checkpoints, which hold the variables of a program's objects in files.

    holding      objects to variables, under the names of the attributes that lead to them
    checkpoint   Checkpoint: save and restore all of them
    managing     CheckpointManager: several checkpoints, the last few kept

A checkpoint is one `.npz` under TensorFlow's prefix: `ckpt-3` is the file `ckpt-3.npz`. TensorFlow cannot read it, nor minitape
TensorFlow's.

Source: https://www.tensorflow.org/guide/checkpoint
"""

from minitape.lazy_namespace import telling
from minitape.train.checkpoint import Checkpoint
from minitape.train.managing import (
    CheckpointManager,
    get_checkpoint_state,
    latest_checkpoint,
    list_variables,
    load_variable,
)

__all__ = [
    "Checkpoint",
    "CheckpointManager",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_variable",
]

__getattr__ = telling(__name__)
