"""A hook of MkDocs: no page may load anything from another server."""

import re
from typing import Any

WORKER = '<script src="https://unpkg.com/iframe-worker/shim"></script>'
_ELSEWHERE = re.compile(
    r"<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)=\"https?://[^\"]+\"[^>]*>"
)


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Return the page with its scripts from this site.

    Raises:
        ValueError: the page loads something from another server.
    """
    depth = "../" * page.url.count("/")
    output = output.replace(WORKER, f'<script src="{depth}assets/file-worker.js"></script>')
    if found := _ELSEWHERE.search(output):
        raise ValueError(f"{page.url} loads from another server: {found[0]}")
    return output
