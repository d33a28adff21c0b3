"""Which requests are let in.

Whoever can open a page in a browser here can make it send requests to this address. So a request has to know a secret that only
the address holds; it has to be sent to this computer by its own name, for a foreign name that leads here is a way around the rule
of the same origin; and it must not come from a page of somebody else's.
"""

import hmac
import secrets
from collections.abc import Iterable
from email.message import Message

_OWN_SITES = ("same-origin", "none")  # none: typed in, or opened by a program


class Door:
    """The rules for one server.

    Args:
        port: Its port.
    """

    def __init__(self, port: int) -> None:
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._token = secrets.token_urlsafe(24)
        self.address = f"http://{self._hosts[0]}/{self._token}/"

    def is_foreign(self, headers: Message) -> bool:
        """Whether a request is for another computer, or from a page of another origin."""
        hosts = headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return True
        origins, sites = headers.get_all("Origin", []), headers.get_all("Sec-Fetch-Site", [])
        is_ours = all(origin == f"http://{hosts[0]}" for origin in origins)
        return not (is_ours and all(site in _OWN_SITES for site in sites))

    def named(self, path: str, names: Iterable[str]) -> str | None:
        """Which of the things that there are a path names, behind the secret; compared in a time that tells nothing of it."""
        given = path.encode(errors="replace")
        found = None
        for name in names:
            if hmac.compare_digest(given, f"/{self._token}/{name}".encode()):
                found = name
        return found
