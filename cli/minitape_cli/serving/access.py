"""Decides which requests the server accepts.

Any web page that is open in a browser on this computer can send requests to the server. So the server accepts a request only if
it contains the secret in the address of the served page, if its host is this computer's own name (a foreign name that
resolves to this computer bypasses the same-origin policy), and if it does not come from a page of another origin.
"""

import hmac
import secrets
from collections.abc import Iterable
from email.message import Message

_OWN_SITES = ("same-origin", "none")  # none: typed in, or opened by a program


class AccessRules:
    """The rules for one server.

    Args:
        port: The port of the server.
    """

    def __init__(self, port: int) -> None:
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._token = secrets.token_urlsafe(24)
        self.address = f"http://{self._hosts[0]}/{self._token}/"

    def is_foreign(self, headers: Message) -> bool:
        """Whether a request is for another computer, or comes from a page of another origin."""
        hosts = headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return True
        origins, sites = headers.get_all("Origin", []), headers.get_all("Sec-Fetch-Site", [])
        is_ours = all(origin == f"http://{hosts[0]}" for origin in origins)
        return not (is_ours and all(site in _OWN_SITES for site in sites))

    def named(self, path: str, names: Iterable[str]) -> str | None:
        """Return the resource that a path names, if the path starts with the secret; compared in constant time, which reveals
        nothing about it."""
        given = path.encode(errors="replace")
        found = None
        for name in names:
            if hmac.compare_digest(given, f"/{self._token}/{name}".encode()):
                found = name
        return found
