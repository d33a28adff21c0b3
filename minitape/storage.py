"""Writes files completely or not at all, reports a full disk, and reads files safely.

check_file        refuses everything but a regular file of a reasonable size
open_file         opens a file that passes this check
read_file         reads the bytes of such a file
read_text         reads such a file as UTF-8 text
write_whole       writes bytes to a file
named             adds the file name to an OSError that does not contain one
temporary_files   turns an OSError about temporary files into a StorageError that names their folder
storage_error     returns this StorageError
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from minitape.errors import StorageError

MOST_BYTES = 100 * 2**20  # bytes: the largest size of a script, a notebook or a student's file

_KINDS_OF_FILE = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)

_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


# --- reading ---


def check_file(path: Path, most: int = MOST_BYTES) -> None:
    """Raise OSError for a path that is not a regular file, and for a file that is too large.

    Opening a pipe may block forever, and a device may have no end, so the file is not opened.

    Args:
        path: A file, or a link to one.
        most: The largest size in bytes.

    Raises:
        OSError: the file is refused; `filename` is the path, `strerror` the reason.
    """
    _check_stat(path, path.stat(), most)


def open_file(path: Path, most: int = MOST_BYTES) -> BinaryIO:
    """Open a regular file for reading bytes, without ever blocking.

    Args:
        path: A file, or a link to one.
        most: The largest size in bytes.

    Raises:
        OSError: the file is refused as by `check_file`, or it cannot be read.
    """
    check_file(path, most)
    # A pipe may have replaced the file since the check; with O_NONBLOCK, opening it does not wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    try:
        _check_stat(path, os.fstat(file.fileno()), most)
    except OSError:
        file.close()
        raise
    return file


def read_file(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a regular file, and never hold more than `most + 1` of them in memory.

    Args:
        path: A file, or a link to one.
        most: The largest size in bytes.

    Raises:
        OSError: the file is refused as by `check_file`, or it cannot be read.
    """
    with open_file(path, most) as file:
        data = file.read(most + 1)
    if len(data) > most:  # the file has grown since the check
        raise _too_large(path, most)
    return data


def read_text(path: Path) -> str:
    r"""Return the text of a regular file in UTF-8, with every line end as `\n`.

    Raises:
        OSError: as for `read_file`.
        UnicodeDecodeError: the file is not UTF-8.
    """
    return read_file(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _check_stat(path: Path, found: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "this is a directory, not a file", str(path))
    for is_of_kind, name in _KINDS_OF_FILE:
        if is_of_kind(found.st_mode):
            raise OSError(errno.EINVAL, f"this is {name}, not a regular file", str(path))
    if found.st_size > most:
        raise _too_large(path, most)


def _too_large(path: Path, most: int) -> OSError:
    return OSError(
        errno.EFBIG,
        f"this file is larger than {most // 2**20} MB, the limit",
        str(path),
    )


# --- writing ---


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader finds either the old content or the new one, even if the disk becomes full.

    Args:
        path: The file. A link stays a link; a device or a pipe is written to directly.
        data: Its new content.

    Raises:
        OSError: the file cannot be written; `filename` of the error is `path`.
    """
    path = path.resolve()
    with named(path):
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        beside = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            beside.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
            beside.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def named(path: Path) -> Iterator[None]:
    """Add this file's name to every OSError of the block, because the system names none when a write fails.

    Raises:
        OSError: raised in the block.
    """
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            error.filename, error.filename2 = str(path), None
        raise


@contextlib.contextmanager
def temporary_files() -> Iterator[None]:
    """Convert an OSError of the block to a StorageError that names the folder for temporary files.

    Raises:
        StorageError: the block raised an OSError.
    """
    try:
        yield
    except OSError as error:
        raise storage_error(error.errno or errno.EIO) from error


def storage_error(number: int) -> StorageError:
    """Return the error to raise when the folder for temporary files has no space for a file of minitape.

    Args:
        number: The system's error number, such as `errno.ENOSPC`.
    """
    try:
        folder = tempfile.gettempdir()
    except OSError as found_none:
        what = f"{found_none.strerror}."
    else:
        what = _what(number, folder)
    error = StorageError(what, fix=_fix())
    error.number = number
    return error


def _what(number: int, folder: str) -> str:
    if number in _FULL:
        return f"The folder for temporary files, {folder}, is full."
    if number == errno.EFBIG:
        return f"The file size limit is too small for temporary files of 4 MB in {folder}."
    return (
        f"minitape cannot write to the folder for temporary files, {folder}: {os.strerror(number)}."
    )


def _fix() -> str:
    if _has_limit():
        return "run `ulimit -f unlimited` first"
    return "run `TMPDIR=/var/tmp minitape ...`, or use another folder with free space"


def _has_limit() -> bool:
    """Whether a file size limit is set."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY
