"""`tf.keras.callbacks`: objects whose methods Keras calls during training.

Source: https://keras.io/api/callbacks/
"""

from minitape.keras.training.callback import Callback, History, LambdaCallback
from minitape.keras.training.callback_list import CallbackList
from minitape.keras.training.checkpointing import CSVLogger, ModelCheckpoint, TensorBoard
from minitape.keras.training.learning_rate import LearningRateScheduler, TerminateOnNaN
from minitape.keras.training.monitoring import EarlyStopping, ReduceLROnPlateau
from minitape.keras.training.progress import ProgbarLogger

__all__ = [
    "CSVLogger",
    "Callback",
    "CallbackList",
    "EarlyStopping",
    "History",
    "LambdaCallback",
    "LearningRateScheduler",
    "ModelCheckpoint",
    "ProgbarLogger",
    "ReduceLROnPlateau",
    "TensorBoard",
    "TerminateOnNaN",
]
