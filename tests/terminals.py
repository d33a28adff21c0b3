"""Runs a command in a terminal, sends keys, and reads the screen; tmux provides the terminal."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from outside import program


class Screen:
    """A terminal in which a command of minitape runs; after the command, the terminal shows its exit code.

    Args:
        command: The command of minitape, with its arguments.
        name: A unique name for the terminal.
        width: The width in characters.
        height: The height in lines.
        folder: The folder in which the command runs; the current folder by default.
        env: Further environment variables.
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

    def shows(self, *words: str, without: Sequence[str] = (), within: float = 20) -> str:
        """Wait until the screen shows all the words, and none of those in `without`; return its text."""
        until = time.monotonic() + within
        while True:
            text = self.text()
            if all(word in text for word in words) and not any(word in text for word in without):
                return text
            assert time.monotonic() < until, f"{words} without {without} did not appear:\n{text}"
            time.sleep(0.05)

    def copy_to(self, file: Path) -> None:
        """Start copying everything that the command sends to its terminal to a file."""
        self._tmux("pipe-pane", f"cat > {shlex.quote(str(file))}")
        until = time.monotonic() + 10
        while not file.exists() and time.monotonic() < until:  # the shell that copies starts later
            time.sleep(0.01)

    def close(self) -> None:
        subprocess.run([*self._server, "kill-server"], capture_output=True, check=False)
