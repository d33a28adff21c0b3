"""A hook of MkDocs: no page may load anything from another server, and the theme's controls have names for screen readers."""

import re
from typing import Any

WORKER = '<script src="https://unpkg.com/iframe-worker/shim"></script>'
_ELSEWHERE = re.compile(
    r"<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)=\"https?://[^\"]+\"[^>]*>"
)

# The theme gives these controls no name.
_NAMES = {
    'data-md-component="search" role="dialog"': "Search",
    'data-md-toggle="search" type="checkbox"': "Search",
    'data-md-toggle="drawer" type="checkbox"': "Navigation",
}


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Return the page with its scripts from this site and names for all controls.

    Raises:
        ValueError: the page loads something from another server.
    """
    return _of_this_site(output, page.url)


def on_post_template(output_content: str, *, template_name: str, config: Any) -> str:
    """Change the pages that the theme makes, such as 404.html, in the same way."""
    is_page = template_name.endswith(".html")
    return _of_this_site(output_content, template_name) if is_page else output_content


def _of_this_site(output: str, url: str) -> str:
    depth = "../" * url.count("/")
    output = output.replace(WORKER, f'<script src="{depth}assets/file-worker.js"></script>')
    for control, name in _NAMES.items():
        output = output.replace(control, f'{control} aria-label="{name}"')
    if found := _ELSEWHERE.search(output):
        raise ValueError(f"{url} loads from another server: {found[0]}")
    return output
