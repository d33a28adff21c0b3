"""A page that shows a picture or a message and waits for the next one. It is for a server that redraws while the user edits."""

import html

from minitape.html.parts import asset, filled
from minitape.html.policy import policy
from minitape.html.script import script


def shell(
    title: str, number: int, *, svg: str = "", message: str = "", theme: str = "light"
) -> str:
    """Return the page as the text of an HTML file.

    Args:
        title: The title of the browser window.
        number: The number of the page on its server, from which the page requests later pages.
        svg: The picture to show, as SVG.
        message: The message to show.
        theme: `light` or `dark`, as for the picture.
    """
    code = script("live/waiting.js")
    style = asset("shell.css") + asset("news.css")
    content = svg[svg.index("<svg") :] if svg else f"<p>{html.escape(message)}</p>"
    return filled(
        asset("shell.html"),
        {
            "THEME": theme,
            "NUMBER": str(number),
            "POLICY": policy(code, style, is_live=True),
            "TITLE": f"{html.escape(title)} · minitape",
            "STYLE": style,
            "CONTENT": content,
            "SCRIPT": code,
        },
    )
