"""Prints what a script can see of itself when it is run as `python script.py`."""

import numpy as np

import minitape as tf

x = tf.constant([[1.0], [2.0]])
y = tf.constant([[3.0], [5.0]])
w = tf.Variable([[0.5]])

with tf.GradientTape() as tape:
    pred = x @ w
    loss = tf.reduce_mean(np.square(pred - y))  # lost

tape.gradient(loss, w)

import gc
import inspect
import json
import multiprocessing
import os
import pickle
import signal
import sys
import threading


class Own:
    pass


def function():
    return "own source"


def name(something):
    return f"{something.__module__}.{something.__qualname__}"


seen = {
    "__name__": __name__,
    "__file__": __file__,
    "__spec__": repr(__spec__),
    "__package__": repr(__package__),
    "__doc__": __doc__,
    "__builtins__": repr(__builtins__),
    "__annotations__": sorted(globals().get("__annotations__", {})),
    "loader": type(__loader__).__name__,
    "dunders": sorted(each for each in globals() if each.startswith("__")),
    "main": sys.modules["__main__"].__dict__ is globals(),
    "import main": __import__("__main__").__dict__ is globals(),
    "argv": sys.argv,
    "path[0]": sys.path[0],
    "cwd": os.getcwd(),
    "flags": list(sys.flags),
    "stdin": [sys.stdin.isatty(), sys.stdin.encoding, sys.stdin.fileno()],
    "stdout": [sys.stdout.fileno(), sys.stdout.encoding, sys.stdout.errors],
    "stderr": [sys.stderr.fileno(), sys.stderr.encoding, sys.stderr.errors],
    "streams": [sys.stdout is sys.__stdout__, sys.stderr is sys.__stderr__],
    "source": inspect.getsource(function),
    "pickle": type(pickle.loads(pickle.dumps(Own()))) is Own,
    "pickle names": b"__main__" in pickle.dumps(Own),
    "threads": [each.name for each in threading.enumerate()],
    "gc": [gc.isenabled(), gc.get_threshold(), gc.callbacks],
    "SIGINT": signal.getsignal(signal.SIGINT) is signal.default_int_handler,
    "signals": [repr(signal.getsignal(each)) for each in (signal.SIGTERM, signal.SIGALRM)],
    "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
    "timer": signal.getitimer(signal.ITIMER_REAL),
    "trace": [repr(sys.gettrace()), repr(sys.getprofile())],
    "hooks": [name(sys.excepthook), name(sys.displayhook), name(threading.excepthook)],
    "recursion": sys.getrecursionlimit(),
    "print options": repr(np.get_printoptions()),
    "errors": np.geterr(),
    "children": len(multiprocessing.active_children()),
}
print("seen:", json.dumps(seen))
