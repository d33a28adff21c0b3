"""What a script's process tells the command: messages in memory that both of them see.

    Writer      in the script's process: appends a message; what was written outlives the process, however it ends
    Reader      in the command's: gives what came since it was last asked

The memory is that of files in a folder of the run, mapped. No file descriptor stays open, so a script that closes or redirects
all of its own does not reach it; no system call is made for a message; and nobody waits for the other.

A message is bytes; what they mean is said in `messages.py`.

A segment: 8 bytes for how far it is filled, 8 in which the first one counts the Ctrl-C that were heard, then messages, each with
its length before it. The filling is noted after the message, so that a reader never sees half of one. A length of zero says: go
on in the next segment.
"""

import ctypes
import mmap
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import Any

SEGMENT = 1 << 22  # bytes; a message that needs more gets a segment of its own size

# In the machine's own order, so that each is copied as a whole: a reader never sees half of one.
_FILLED, _LENGTH = Struct("@Q"), Struct("@I")
_HEARD = _FILLED.size
_HEAD = 2 * _FILLED.size


def _segment(folder: Path, number: int) -> str:
    return os.path.join(folder, f"segment-{number}")  # noqa: PTH118  # a script may have patched pathlib


def _keep(memory: Any) -> None:
    """Never let it go: with its end a file descriptor would be closed whose number may be a file of the script's by then."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(memory))


class Writer:
    """Appends messages. A fault of the system (no room, the folder is gone) ends the writing and not the script.

    Args:
        folder: Where the segments are made; the reader is given the same.
    """

    # The functions by which it writes, held here: a script may put others in their places.
    _open = staticmethod(os.open)
    _close = staticmethod(os.close)
    _truncate = staticmethod(os.ftruncate)
    _allocate = staticmethod(getattr(os, "posix_fallocate", lambda *_: None))
    _map = staticmethod(mmap.mmap)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = -1
        self._size = self._at = 0
        self._memory: Any = None
        self._memories: list[Any] = []
        self._heard = 0
        self.is_open = True
        self._begin(SEGMENT)
        self._first = self._memory

    def write(self, data: bytes) -> None:
        if not self.is_open:
            return
        start = self._at + _LENGTH.size
        end = start + len(data)
        if end + _LENGTH.size > self._size:
            self._go_on(_HEAD + 2 * _LENGTH.size + len(data))
            if not self.is_open:
                return
            start = self._at + _LENGTH.size
            end = start + len(data)
        memory = self._memory
        _LENGTH.pack_into(memory, self._at, len(data))
        memory[start:end] = data
        self._note(end)

    def hear(self) -> None:
        """Note that a Ctrl-C has arrived; may come in the middle of a message."""
        self._heard += 1
        if self._first is not None:
            _FILLED.pack_into(self._first, _HEARD, self._heard)

    def reader(self) -> "Reader":
        """One that reads here what was written, from the start."""
        return Reader(self._folder, self._memories)

    def leave(self) -> None:
        """Write no more: this process is a copy of the one that writes."""
        self.is_open = False

    def _note(self, filled: int) -> None:
        self._at = filled
        _FILLED.pack_into(self._memory, 0, filled)

    def _go_on(self, needed: int) -> None:
        before, at = self._memory, self._at
        self._begin(max(SEGMENT, needed))
        if self.is_open:  # only then is there a next one to go to
            _LENGTH.pack_into(before, at, 0)
            _FILLED.pack_into(before, 0, at + _LENGTH.size)

    def _begin(self, size: int) -> None:
        self._number += 1
        try:
            file = self._open(_segment(self._folder, self._number), os.O_RDWR | os.O_CREAT, 0o600)
            try:
                self._truncate(file, size)
                self._allocate(
                    file, 0, size
                )  # a full disk is told here, and not by a signal at the first byte
                self._memory = self._map(file, size)
                _keep(self._memory)
                self._memories.append(self._memory)
            finally:
                self._close(file)
        except OSError:
            self.is_open = False
            return
        self._size = size
        self._note(_HEAD)


class Reader:
    """Gives what was written, in order.

    Args:
        folder: Where the writer makes its segments.
        memories: The writer's own, for one that reads in the same process.
    """

    def __init__(self, folder: Path, memories: Sequence[Any] | None = None) -> None:
        self._folder = folder
        self._memories = memories
        self._number = 0
        self._at = _HEAD
        self._memory: mmap.mmap | None = None
        self._first: mmap.mmap | None = None

    @property
    def heard(self) -> int:
        """How many Ctrl-C have arrived at the other end."""
        return 0 if self._first is None else int(_FILLED.unpack_from(self._first, _HEARD)[0])

    def new(self) -> Iterator[bytes]:
        """The messages that came since the last time."""
        while self._is_there():
            memory = self._memory
            assert memory is not None
            (filled,) = _FILLED.unpack_from(memory)
            while self._at < filled:
                (length,) = _LENGTH.unpack_from(memory, self._at)
                start = self._at + _LENGTH.size
                self._at = start + length
                if not length:
                    break
                yield memory[start : self._at]
            else:
                return
            if memory is not self._first and self._memories is None:
                memory.close()
            self._memory = None
            self._number += 1
            self._at = _HEAD

    def _is_there(self) -> bool:
        if self._memory is None and self._memories is not None:
            if self._number < len(self._memories):
                self._memory = self._memories[self._number]
        elif self._memory is None:
            path = Path(_segment(self._folder, self._number))
            if not path.exists() or path.stat().st_size < _HEAD:
                return False
            with path.open("rb") as file:
                self._memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._first = self._first or self._memory
            with suppress(OSError):  # Windows keeps what is mapped
                path.unlink()  # both have it mapped; nothing is left when they end
        return self._memory is not None
