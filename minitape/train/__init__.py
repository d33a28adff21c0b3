"""`tf.train`: checkpoints, which store the variables of a program's objects in files.

    holding      find the variables of objects, and name them by their attributes
    checkpoint   Checkpoint: save and restore them
    managing     CheckpointManager: keep the latest checkpoints

A checkpoint is one `.npz` file under TensorFlow's prefix: `ckpt-3` is the file `ckpt-3.npz`. TensorFlow cannot read it, and
minitape cannot read TensorFlow's checkpoints.

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
