"""Whether a file was saved: by looking, for file systems of containers and networks tell nobody of a change."""

import hashlib
import os
from pathlib import Path

from minitape.storage import read_file

POLL = 0.3  # seconds between two looks

_ABSENCES = 2  # looks; an editor may take a file away just before it writes the new one


class Glimpse:
    """Watches one file by its status, and reads its text only when the status changes.

    A file that stops being readable counts as changed once, and again when it is readable: it is gone, or became a directory,
    a pipe, a device or too large. What is not a regular file is never opened. A save that leaves the text as it was is no change.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._absences = 0
        self._seen = self._status()
        self._text = self._content()

    def is_new(self) -> bool:
        """Whether the text, or the reason why there is none, differs from that of the last look."""
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
        """What changes with a save, with a link and with permissions; None if there is no such file."""
        try:
            known: os.stat_result = self._file.stat()
        except OSError:
            return None
        return known.st_mtime_ns, known.st_size, known.st_mode, known.st_dev, known.st_ino

    def _content(self) -> str:
        """A digest of the text, or why it cannot be read."""
        try:
            return hashlib.sha256(read_file(self._file)).hexdigest()
        except OSError as error:
            return str(error)
