"""The connection from a script's process to the command, with messages in memory that both processes share.

    Writer         in the script's process: appends a message; messages outlive the process, however it ends
    ChannelReader  in the command: returns the messages since the last call

The memory consists of mapped files in a folder of the run. No file descriptor stays open, so a script that closes or redirects
all its descriptors does not affect the channel. A message needs no system call, and neither side waits for the other.

A message is a sequence of bytes; `messages.py` defines its meaning.

A segment consists of 8 bytes for its filled length, 8 bytes in which the first segment counts the Ctrl-C signals that arrived,
8 bytes in which the first segment has the system's error number if no further segment could be created, and then the messages,
each after its length. The filled length is updated after the message, so that a reader never sees an incomplete message. A
length of zero means that the next segment follows.

Writing to mapped memory must never need disk space, because a full disk would then end the process by a signal. So the system
allocates all blocks of a file before it gets its name, and a reader finds only complete files. The command creates the first
file before the script runs, so a full disk at that point is an ordinary error. If a later file cannot be created, events are no
longer written; a part of the last segment is reserved for messages about the run, so its ending is still reported.
"""

import ctypes
import errno
import mmap
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import Any

SEGMENT = 1 << 22  # bytes; a larger message gets a segment of its own size

# In native byte order, so that each number is copied as a whole, and a reader never sees half of a number.
_FILLED, _LENGTH = Struct("@Q"), Struct("@I")
_TRACED, _FAULT = _FILLED.size, 2 * _FILLED.size
_HEAD = 3 * _FILLED.size
_KEPT = 8  # the binary logarithm of the number of parts of a segment; the last part is reserved
_ZEROS = bytes(1 << 16)


def _segment(folder: Path, number: int) -> str:
    return os.path.join(folder, f"segment-{number}")  # noqa: PTH118  # a script may have patched pathlib


# The functions that create files, saved here because a script may replace them.
_open, _close, _write, _truncate = os.open, os.close, os.write, os.ftruncate
_reserve = getattr(os, "posix_fallocate", None)
_exists, _rename, _unlink, _map = os.path.exists, os.rename, os.unlink, mmap.mmap
_NOT_SUPPORTED = (errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
_FLAGS = os.O_RDWR | getattr(os, "O_BINARY", 0)


def make_segment(folder: Path, number: int, size: int) -> None:
    """Create the file of a segment, with all of its blocks.

    Args:
        folder: The folder in which to create it.
        number: The number of the segment, from 0.
        size: Its size in bytes.

    Raises:
        OSError: there is not enough space; no part of the file remains.
    """
    beside = os.path.join(folder, "segment.new")  # noqa: PTH118
    file = _open(beside, _FLAGS | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        try:
            _allocate(file, size)
        finally:
            _close(file)
        _rename(beside, _segment(folder, number))
    except OSError:
        _unlink(beside)
        raise


def _allocate(file: int, size: int) -> None:
    """Let the system allocate all blocks of a file; on systems without such a call, write the blocks."""
    if _reserve is not None:
        try:
            _reserve(file, 0, size)
        except OSError as error:
            if error.errno not in _NOT_SUPPORTED:
                raise
        else:
            return
    left = size
    while left:
        left -= _write(file, _ZEROS[:left])


def _keep(memory: Any) -> None:
    """Keep the object alive, because freeing it would close a file descriptor whose number the script may use by then."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(memory))


class Writer:
    """Appends messages. A system error (no space, the folder was deleted) ends the writing, but not the script.

    Args:
        folder: The folder in which the segments are created; the same as for the reader.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = -1
        self._size = self._at = 0
        self._memory: Any = None
        self._memories: list[Any] = []
        self._received = 0
        self.is_open = True
        self._is_full = False
        try:
            self._begin(SEGMENT)
        except OSError:
            self.is_open = False
        self._first: Any = self._memory

    def write(self, data: bytes) -> None:
        """Append an event."""
        if self._is_full or not self.is_open:
            return
        if not self._fits(len(data), self._size - (self._size >> _KEPT)):
            self._go_on(len(data))
        if not self._is_full:
            self._append(data)

    def write_word(self, data: bytes) -> None:
        """Append a message about the run; the reserved part of the last segment is used if no more segments can be created."""
        if not self.is_open:
            return
        if not (self._is_full or self._fits(len(data), self._size)):
            self._go_on(len(data))
        if self._fits(len(data), self._size):
            self._append(data)

    def fail(self, number: int) -> None:
        """Write no more events.

        Args:
            number: The system's error number for the reason.
        """
        self._is_full = True
        _FILLED.pack_into(self._first, _FAULT, number)

    def receive(self) -> None:
        """Note that a Ctrl-C has arrived; it may arrive in the middle of a message."""
        self._received += 1
        if self._first is not None:
            _FILLED.pack_into(self._first, _TRACED, self._received)

    def reader(self) -> "ChannelReader":
        """Return a reader for this process that starts at the first message."""
        return ChannelReader(self._folder, self._memories)

    def leave(self) -> None:
        """Stop writing, because this process is a copy of the process that writes."""
        self.is_open = False

    def _note(self, filled: int) -> None:
        self._at = filled
        _FILLED.pack_into(self._memory, 0, filled)

    def _fits(self, length: int, end: int) -> bool:
        """Whether a message fits before `end`, followed by the note that the next segment follows."""
        return self._at + length + 2 * _LENGTH.size <= end

    def _append(self, data: bytes) -> None:
        start = self._at + _LENGTH.size
        end = start + len(data)
        _LENGTH.pack_into(self._memory, self._at, len(data))
        self._memory[start:end] = data
        self._note(end)

    def _go_on(self, length: int) -> None:
        """Continue in a new segment that has space for a message."""
        before, at = self._memory, self._at
        needed = _HEAD + 2 * _LENGTH.size + length
        try:
            self._begin(max(SEGMENT, needed + (needed >> _KEPT - 1)))
        except OSError as error:
            self.fail(error.errno or errno.EIO)
            return
        _LENGTH.pack_into(before, at, 0)
        _FILLED.pack_into(before, 0, at + _LENGTH.size)

    def _begin(self, size: int) -> None:
        path = _segment(self._folder, self._number + 1)
        if not _exists(path):
            make_segment(self._folder, self._number + 1, size)
        file = _open(path, _FLAGS)
        try:
            memory = _map(file, 0)
        finally:
            _close(file)
        _keep(memory)
        self._memories.append(memory)
        self._memory, self._size = memory, len(memory)
        self._number += 1
        self._note(_HEAD)


class ChannelReader:
    """Returns the messages in order.

    Args:
        folder: The folder in which the writer creates its segments.
        memories: The writer's own memories, for a reader in the same process.
    """

    def __init__(self, folder: Path, memories: Sequence[Any] | None = None) -> None:
        self._folder = folder
        self._memories = memories
        self._number = 0
        self._at = _HEAD
        self._memory: mmap.mmap | None = None
        self._first: mmap.mmap | None = None

    @property
    def received(self) -> int:
        """How many Ctrl-C signals have arrived in the writer's process."""
        return 0 if self._first is None else int(_FILLED.unpack_from(self._first, _TRACED)[0])

    @property
    def fault(self) -> int:
        """The system's error number, if the writer had to stop writing events; else 0."""
        return 0 if self._first is None else int(_FILLED.unpack_from(self._first, _FAULT)[0])

    def new(self) -> Iterator[bytes]:
        """Yield the messages since the last call."""
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
            if not path.exists():
                return False
            with path.open("rb") as file:
                if not any(file.read(_FILLED.size)):  # the writer has not mapped this file yet
                    return False
                self._memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._first = self._first or self._memory
            with suppress(OSError):  # Windows keeps mapped files
                path.unlink()  # both processes have mapped the file, which is freed when they end
        return self._memory is not None
