"""minitape: TensorFlow's GradientTape that you can read, watch and question.

    import minitape as tf

    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)      # 6.0

The names are TensorFlow's; api.py lists them in groups. The first use of a name imports all of them, together with NumPy and the
engine, so code that only reads a trace does not wait for this import.
"""

from typing import TYPE_CHECKING

from minitape.lazy_namespace import first_use as __getattr__  # noqa: F401  # Python asks it for names that are not here yet
from minitape.lazy_namespace import names as __dir__  # noqa: F401

if TYPE_CHECKING:
    from minitape.api import *  # noqa: F403  # for those who check types, all is here

__version__ = "0.2.0"
