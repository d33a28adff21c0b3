"""Detects that a file was saved. It polls the file, because file systems of containers and networks send no notifications."""

import hashlib
import os
from pathlib import Path

from minitape.storage import read_file

POLL = 0.3  # seconds between two checks

_ABSENCES = 2  # checks; an editor may remove a file just before it writes the new one


class Glimpse:
    """Watches one file by its status, and reads its text only when the status changes.

    A file that can no longer be read (deleted, or replaced by a directory, a pipe, a device or a file that is too large) counts
    as changed once, and again when it can be read. Only regular files are opened. A save with the same text is not a change.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._absences = 0
        self._seen = self._status()
        self._text = self._content()

    def is_new(self) -> bool:
        """Whether the text, or the reason why it cannot be read, has changed since the last check."""
        status = self._status()
        if status is None and self._seen is not None:
            self._absences += 1
            if self._absences < _ABSENCES:
                return False
        self._absences = 0
        if status == self._seen:
            return False
        self._seen, before = status, self._text
        self._text = self._content()
        return self._text != before

    def _status(self) -> tuple[int, ...] | None:
        """Return the status that changes with a save, a new link or new permissions; None if the file does not exist."""
        try:
            known: os.stat_result = self._file.stat()
        except OSError:
            return None
        return known.st_mtime_ns, known.st_size, known.st_mode, known.st_dev, known.st_ino

    def _content(self) -> str:
        """Return a digest of the text, or why it cannot be read."""
        try:
            return hashlib.sha256(read_file(self._file)).hexdigest()
        except OSError as error:
            return str(error)
