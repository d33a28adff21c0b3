"""`tf.train`: checkpoints, which save the variables of a program's objects in files.

    `tracked_variables`    finds the variables of objects, by the names of the attributes that lead to them
    `checkpoint`           `Checkpoint`: saves and restores all of these variables
    `manager`              `CheckpointManager`: keeps the last few checkpoints
    `state`                reads and writes the file that lists the checkpoints of a directory

A checkpoint is one `.npz` file under TensorFlow's prefix: `ckpt-3` is the file `ckpt-3.npz`. TensorFlow cannot read it,
and minitape cannot read TensorFlow's checkpoints.

Source: https://www.tensorflow.org/guide/checkpoint
"""

from minitape.lazy_namespace import helpful_getattr
from minitape.train.checkpoint import Checkpoint
from minitape.train.manager import (
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

__getattr__ = helpful_getattr(__name__)
