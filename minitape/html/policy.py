"""The Content-Security-Policy of a page: the page runs its own script, uses its own style, and fetches nothing.

policy       for a page with this script and style
policy_in    the policy of a finished page, for a server that also sends it as a header
"""

import base64
import hashlib
import re


def policy(script: str, style: str, *, is_live: bool = False) -> str:
    """Return a policy that allows only this script and style. Nothing may be fetched; a live page may connect only to its
    own server. An image may be data of the page itself, because the page needs that to save its picture as PNG.
    """
    asks = "connect-src 'self'; " if is_live else ""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; {asks}"
        "base-uri 'none'; form-action 'none'"
    )


def policy_in(page: str) -> str:
    """Return the policy in the head of a page."""
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    return found[1]


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
