"""A process that has everything loaded and copies itself for each job; `run/warm.py` is its other side.

serve    wait for jobs; returns in each copy, with the folder of its job
"""

from __future__ import annotations

import gc
import importlib
import os
import socket

from minitape.run.jobs import Copying


def serve(copying: Copying) -> str | None:
    """Make a copy for each folder that is asked for, and tell its number and how it ended.

    Returns:
        In a copy: the folder of its job. In the process itself: None, when no more will come.
    """
    for name in copying.imports:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a search through old objects would copy their memory
    with socket.socket(fileno=copying.socket) as asked:
        while True:
            said, streams, *_ = socket.recv_fds(asked, 10_000, 3)
            if not said:
                return None
            process = os.fork()
            if process == 0:
                break
            for each in streams:
                os.close(each)
            asked.sendall(process.to_bytes(8, "big"))
            ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            asked.sendall(ended.to_bytes(8, "big", signed=True))
    os.setsid()  # a signal that it sends to its group reaches nobody else
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    folder, place = said.split(b"\0")
    os.chdir(place)
    return os.fsdecode(folder)
