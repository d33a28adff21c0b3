"""A command in a real terminal, driven by keys and looked at: tmux stands for the terminal."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from outside import program


class Screen:
    """A terminal of some size with a command of minitape in it; after that, a word on how it ended.

    Args:
        command: Of minitape's, with its arguments.
        name: Of the terminal, which no other has.
        width: In letters.
        height: In lines.
        folder: Where the command runs; by default here.
        env: More of its environment.
    """

    def __init__(
        self,
        command: Sequence[str],
        name: str,
        width: int = 100,
        height: int = 30,
        *,
        folder: Path | None = None,
        **env: str,
    ) -> None:
        self._server = [program("tmux"), "-L", name, "-f", os.devnull]
        run = shlex.join([sys.executable, "-m", "minitape_cli", *command])
        after = "echo ended with $?; stty -a | tr -s ' ;' '\\n\\n' | grep -x -e -*echo -e -*icanon"
        given = {"LANG": "C.UTF-8", "PYTHONUTF8": "1"} | env
        settings = shlex.join(["env", *(f"{key}={value}" for key, value in given.items())])
        size = ["-x", str(width), "-y", str(height), "-c", str(folder or Path.cwd())]
        self._tmux("new-session", "-d", *size, f"echo hello; {settings} {run}; {after}; sleep 60")

    def _tmux(self, *args: str) -> str:
        ran = subprocess.run([*self._server, *args], capture_output=True, text=True, check=True)
        return ran.stdout

    def text(self, *flags: str) -> str:
        return self._tmux("capture-pane", "-p", *flags)

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def resize(self, width: int, height: int) -> None:
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def shows(self, *words: str, within: float = 20) -> str:
        """The screen once all the words stand on it."""
        until = time.monotonic() + within
        while True:
            text = self.text()
            if all(word in text for word in words):
                return text
            assert time.monotonic() < until, f"{words} never came:\n{text}"
            time.sleep(0.05)

    def copy_to(self, file: Path) -> None:
        """From now on, write all that the command sends to its terminal to a file too."""
        self._tmux("pipe-pane", f"cat > {shlex.quote(str(file))}")

    def close(self) -> None:
        subprocess.run([*self._server, "kill-server"], capture_output=True, check=False)
