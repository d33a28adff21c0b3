"""Files that are written whole or not at all, and the error when a disk cannot hold them.

write_whole       write bytes to a file
named             name the file in an OSError that does not name one
temporary_files   turn an OSError about temporary files into a StorageError that names their folder
storage_error     that StorageError
"""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from minitape.errors import StorageError

_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader finds either the old content or the new one, even if the disk becomes full.

    Args:
        path: The file. A link stays a link; a device or a pipe is written to directly.
        data: Its new content.

    Raises:
        OSError: the file cannot be written; it names `path`.
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
    """Let every OSError of the block name this file: the system names none when a write fails.

    Raises:
        OSError: the one of the block.
    """
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            error.filename, error.filename2 = str(path), None
        raise


@contextlib.contextmanager
def temporary_files() -> Iterator[None]:
    """Report an OSError of the block as one about the folder for temporary files.

    Raises:
        StorageError: the block raised an OSError.
    """
    try:
        yield
    except OSError as error:
        raise storage_error(error.errno or errno.EIO) from error


def storage_error(number: int) -> StorageError:
    """The error when the folder for temporary files cannot hold what minitape has to write.

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
        return (
            f"The limit on the size of files is too small for temporary files of 4 MB in {folder}."
        )
    return f"The folder for temporary files, {folder}, cannot be written to: {os.strerror(number)}."


def _fix() -> str:
    if _has_limit():
        return "ulimit -f unlimited"
    return "TMPDIR=/var/tmp minitape ..., or another folder that has free space"


def _has_limit() -> bool:
    """Whether a limit on the size of files is set."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY
