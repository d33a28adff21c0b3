"""What `--json` writes: one object around the data of a command."""

from typing import Any

from minitape.trace.writing import encode
from minitape_cli.version import version


def envelope(
    command: str, data: Any, *, ok: bool, diagnostics: list[dict[str, Any]] | None = None
) -> bytes:
    """`{"schema": "minitape.COMMAND/1", "version": …, "ok": …, "data": …, "diagnostics": […]}`."""
    whole = {
        "schema": f"minitape.{command}/1",
        "version": version(),
        "ok": ok,
        "data": data,
        "diagnostics": diagnostics or [],
    }
    return (encode(whole) + "\n").encode()
