"""A page that holds a picture or a word, and waits for the next one: for a server that draws while one edits."""

import html

from minitape.page.parts import asset, filled
from minitape.page.policy import policy
from minitape.page.script import script


def shell(title: str, number: int, *, svg: str = "", said: str = "", theme: str = "light") -> str:
    """The text of an HTML file.

    Args:
        title: What the browser's window is called.
        number: Its number among the pages of its server; it asks there whether there is a later one.
        svg: A picture in it.
        said: A word in it.
        theme: `light` or `dark`, as the picture is.
    """
    code = script("live/waiting.js")
    style = asset("shell.css") + asset("news.css")
    content = svg[svg.index("<svg") :] if svg else f"<p>{html.escape(said)}</p>"
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
