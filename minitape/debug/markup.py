"""HTML that can stand in a page of someone else's: a notebook, a site made from it, a mail.

    bare        a picture
    explained   an explanation
    frame       a whole page, locked in

There is no script, no style sheet, no id and no class in it. So nothing leaks out, what that page says of its own `.label` and
`.note` does not leak in, and two outputs cannot be mixed up. Words take the colours of the page they are on, and a picture brings
its paper along: both can be read on light and on dark. Only a frame may hold scripts, which see nothing but their frame.
"""

from collections.abc import Iterator
from html import escape
from xml.etree import ElementTree

from minitape.debug.answer import Block, Explanation
from minitape.debug.report import Confidence, Finding

_SVG = "http://www.w3.org/2000/svg"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_FRAME = "width: 100%; height: 680px; border: 1px solid #8888"
_BLOCK = "border-left: 3px solid #c43d00; padding-left: 0.8em; margin: 0.5em 0"


def bare(svg: str, label: str) -> str:
    """An SVG document as a picture in a page; `label` is what is read aloud in place of it."""
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        name = element.tag.removeprefix(f"{{{_SVG}}}")
        element.tag = (
            "g" if name == "a" else name
        )  # its links lead nowhere: they only carry a title
        for attribute in list(element.attrib):
            is_foreign = attribute.startswith("{") and not attribute.startswith(_XML)
            if is_foreign or attribute in ("id", "class"):
                del element.attrib[attribute]
    root.attrib |= {"xmlns": _SVG, "role": "img", "aria-label": label}
    drawn = ElementTree.tostring(root, encoding="unicode")
    return f'<div style="overflow-x: auto">{drawn}</div>'


def explained(explanation: Explanation) -> str:
    """What there is to say about some gradient calls."""
    told = [_block(block) for block in explanation.blocks]
    return "".join([*told, *(f"<p>{escape(remark)}</p>" for remark in explanation.remarks)])


def _block(block: Block) -> str:
    parts = [f"<p><b>{escape(block.headline)}</b></p>"]
    for finding in block.source.findings:
        parts += _finding(finding)
    together = block.source.mending_said
    parts += [f"<p>{escape(together)}</p>"] if together else []
    return f'<div style="{_BLOCK}">{"".join(parts)}</div>'


def _finding(finding: Finding) -> Iterator[str]:
    sure = "" if finding.confidence is Confidence.CERTAIN else f" ({finding.confidence.value})"
    yield f"<p><code>{escape(str(finding.place))}</code>: {escape(finding.label)}</p><table>"
    for label, text in (
        ("why", finding.message + sure),
        ("try", finding.fix),
        ("more", f"minitape explain {finding.code}"),
    ):
        yield f'<tr><th scope="row">{label}</th><td style="text-align: left">{escape(text)}</td></tr>'
    yield "</table>"


def frame(page: str) -> str:
    """A page with scripts of its own in a frame that it cannot leave."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="the run, step by step"'
        f' style="{_FRAME}"></iframe>'
    )


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
