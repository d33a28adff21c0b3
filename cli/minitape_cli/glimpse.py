"""Whether a file was saved: by looking, for file systems of containers and networks tell nobody of a change."""

import hashlib
from pathlib import Path

POLL = 0.3  # seconds between two looks


class Glimpse:
    """Looks at a file by its time and size, and at its text where these are new: a save that changes nothing is none."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen = self._outside()
        self._text = self._inside()

    def is_new(self) -> bool:
        """Whether the text is another than at the last look; a file that is not there is not looked at."""
        outside = self._outside()
        if outside is None or outside == self._seen:
            return False
        self._seen, before = outside, self._text
        self._text = self._inside()
        return self._text is not None and self._text != before

    def _outside(self) -> tuple[int, int] | None:
        try:
            known = self._file.stat()
        except OSError:  # an editor is about to put the new one there
            return None
        return known.st_mtime_ns, known.st_size

    def _inside(self) -> str | None:
        try:
            return hashlib.sha256(self._file.read_bytes()).hexdigest()
        except OSError:
            return None
