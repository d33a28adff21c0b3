"""`tf.keras.callbacks`: objects whose methods run during training.

Source: https://keras.io/api/callbacks/
"""

from minitape.keras.training.callback import Callback, History, LambdaCallback
from minitape.keras.training.callback_list import CallbackList
from minitape.keras.training.keeping import CSVLogger, ModelCheckpoint, TensorBoard
from minitape.keras.training.progress import ProgbarLogger
from minitape.keras.training.steering import LearningRateScheduler, TerminateOnNaN
from minitape.keras.training.watching import EarlyStopping, ReduceLROnPlateau

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
