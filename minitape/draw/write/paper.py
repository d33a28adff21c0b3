"""Renders an SVG as PDF or PNG, and several as a GIF or MP4, with libraries that pip installs.

`pip install "minitape[pictures]"` is enough for all formats except MP4, which needs `pip install "minitape[video]"`.

A PDF uses the standard fonts Helvetica and Courier, whose metrics determine the sizes in a picture, so it looks the same on any
machine, even without fonts. PNG, GIF and MP4 are rendered from that PDF.
"""

import io
import logging
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from minitape.errors import DrawError
from minitape.storage import temporary_files
from minitape.trace.writing import seldom_searched

if TYPE_CHECKING:
    from PIL.Image import Image

INSTALL = 'pip install "minitape[pictures]"'
INSTALL_VIDEO = 'pip install "minitape[video]"'
_DOTS_PER_POINT = 96 / 72
_COLORS = 128  # the number of colors in a GIF
_RATE = 20  # frames per second of an MP4
# The standard fonts of PDF have no raised digits, so 8.5×10⁻⁵ is written as 8.5e-5.
_POWER = re.compile("×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_FLAT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_NEEDED = {
    "pdf": ("svglib",),
    "png": ("svglib", "pypdfium2"),
    "gif": ("svglib", "pypdfium2", "PIL"),
    "mp4": ("svglib", "pypdfium2", "PIL", "imageio_ffmpeg"),
}


class Timed(NamedTuple):
    """A frame of an animation: the SVG, and how long it is shown, in milliseconds."""

    svg: str
    milliseconds: int


def can_paint(fmt: str) -> bool:
    """Whether the libraries for this format are installed."""
    return fmt in _NEEDED and all(map(find_spec, _NEEDED[fmt]))


@seldom_searched()
def painted(svg: str, fmt: str, title: str) -> tuple[bytes, str | None]:
    """Return the picture as the content of a file, and a note if its font lacks characters.

    Args:
        svg: The SVG.
        fmt: `pdf` or `png`.
        title: The title of the document.

    Raises:
        DrawError: the picture cannot be rendered, because the libraries do not support a part of it or it is too large.
    """
    svg = _without_raised_digits(svg)
    pdf = _pdf(svg, title)
    if fmt == "pdf":
        return pdf, _note(svg, fmt)
    file = io.BytesIO()
    _image(pdf).save(file, "png")
    return file.getvalue(), _note(svg, fmt)


@seldom_searched()
def animated(drawings: Sequence[Timed], fmt: str) -> tuple[bytes, str | None]:
    """Return pictures of one size as an animation that plays them once, and a note if its font lacks characters.

    Args:
        drawings: The pictures.
        fmt: `gif` or `mp4`.

    Raises:
        DrawError: a picture cannot be rendered, because the libraries do not support a part of it or it is too large.
        StorageError: the folder for temporary files has no space for the video.
    """
    svgs = [_without_raised_digits(each.svg) for each in drawings]
    images = [_image(_pdf(svg, "")).convert("RGB") for svg in svgs]
    durations = [each.milliseconds for each in drawings]
    write = _gif if fmt == "gif" else _mp4
    return write(images, durations), _note(svgs[-1], fmt)


def _gif(images: Sequence["Image"], durations: Sequence[int]) -> bytes:
    from PIL.Image import Dither, Quantize

    # With one palette, a part that does not change keeps its colors; with maximum coverage, paper stays white.
    palette = images[-1].quantize(_COLORS, Quantize.MAXCOVERAGE)
    first, *others = (each.quantize(palette=palette, dither=Dither.NONE) for each in images)
    file = io.BytesIO()
    first.save(file, "gif", save_all=True, append_images=others, duration=list(durations))
    return file.getvalue()


def _mp4(images: Sequence["Image"], durations: Sequence[int]) -> bytes:
    """Return the images as H.264, whose width and height are even."""
    import imageio_ffmpeg

    width, height = (size - size % 2 for size in images[0].size)
    with temporary_files(), TemporaryDirectory() as folder:
        path = Path(folder, "film.mp4")
        # By default, the library would stretch the picture to a multiple of 16 pixels.
        size = (width, height)
        film = imageio_ffmpeg.write_frames(str(path), size, fps=_RATE, macro_block_size=2)
        film.send(None)  # starts FFmpeg
        for image, milliseconds in zip(images, durations, strict=True):
            pixels = image.crop((0, 0, width, height)).tobytes()
            for _ in range(max(1, round(milliseconds * _RATE / 1000))):
                film.send(pixels)
        film.close()
        return path.read_bytes()


def _without_raised_digits(svg: str) -> str:
    return _POWER.sub(lambda found: f"e{found[1].translate(_FLAT)}", svg)


def _note(svg: str, fmt: str) -> str | None:
    missing = _without_letters(svg)
    return (
        f"the font for {fmt.upper()} lacks {missing}; SVG shows all characters" if missing else None
    )


def _pdf(svg: str, title: str) -> bytes:
    from reportlab.graphics import renderPDF
    from reportlab.pdfgen.canvas import Canvas
    from svglib.svglib import svg2rlg

    logging.getLogger("svglib.svglib").setLevel(
        logging.ERROR
    )  # the library logs each tag that only browsers need
    drawing = svg2rlg(io.BytesIO(svg.encode()))
    if drawing is None:
        raise DrawError("The picture cannot be rendered.", code="MT901", fix="write SVG")
    file = io.BytesIO()
    # Without the time and a random id, the same picture produces the same file.
    canvas = Canvas(file, pagesize=(drawing.width, drawing.height), invariant=1)
    canvas.setTitle(title)
    renderPDF.draw(drawing, canvas, 0, 0)
    canvas.save()
    return file.getvalue()


def _image(pdf: bytes) -> "Image":
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        image: Image = document[0].render(scale=_DOTS_PER_POINT).to_pil()
    return image


def _without_letters(svg: str) -> str:
    """Return the characters that the standard fonts of PDF lack."""
    from reportlab.pdfbase.pdfmetrics import getFont

    helvetica = getFont("Helvetica")
    fonts = [helvetica, *helvetica.substitutionFonts]
    return "".join(letter for letter in sorted(set(svg)) if not _has(fonts, letter))


def _has(fonts: list[Any], letter: str) -> bool:
    for font in fonts:
        try:
            letter.encode(font.encName)
        except UnicodeEncodeError:
            continue
        return True
    return letter.isspace()
