"""The content of each card with its position on the card: texts, images and strips, measured before the layout."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from minitape.draw.diagram import wording
from minitape.draw.diagram.model import Flow, Parameter, Pixels, Series, Station, StationKind
from minitape.draw.diagram.write.brush import JOIN, TEXT, width_of

PAD = 12.0
ROW = 20.0  # the height of a parameter
_STRIP = 34.0
_LETTER = 0.56  # the mean width of a letter, for texts of the same size
_MOST_OF_BRANCH, _IMAGE_OF_BRANCH = 84.0, 120.0  # height, and width with the edges of a card
_LEAST, _MOST = 84.0, 232.0
_MOST_LINES = 3
_LOOPS = ("for ", "while ")  # the series of a loop shows its number of iterations
_TONES = {Flow.GRADIENT: "gradient", Flow.ZERO: "gradient", Flow.NOT_NEEDED: "mute"}


@dataclass(frozen=True)
class Words:
    """A line of text; `y` is its baseline below the top of the card. `data` marks texts that change between iterations."""

    text: str
    y: float
    size: int
    tone: str = "ink"
    is_bold: bool = False
    is_code: bool = False
    x: float = PAD
    is_end: bool = False
    is_middle: bool = False
    data: str = ""


class Image(NamedTuple):
    """A value as an image: its left and top, the size of a cell, and the height of the longest bar."""

    pixels: Pixels
    left: float
    top: float
    cell: float
    bar: float = 17.0


@dataclass
class Face:
    """A card: its size, the size of its drawer, and their contents; `above` is the height of an image above it."""

    width: float
    height: float
    words: list[Words] = field(default_factory=list)
    drawer: list[Words] = field(default_factory=list)
    drawer_height: float = 0.0
    images: list[Image] = field(default_factory=list)
    panels: list[tuple[float, float, float, float]] = field(default_factory=list)  # of branches
    strip: tuple[float, float, float] | None = None  # top, height, left
    above: float = 0.0

    @property
    def total_height(self) -> float:
        return self.height + self.drawer_height

    def widen(self, width: float) -> None:
        """Make the card at least this wide; texts that end at its right side move with it."""
        more = max(0.0, width - self.width)
        self.width += more
        self.words = [_moved(each, more) for each in self.words]
        self.drawer = [_moved(each, more) for each in self.drawer]
        self.panels = [(x, top, wide + more, tall) for x, top, wide, tall in self.panels]


@dataclass(frozen=True)
class Detail:
    """The level of detail of the cards: the maximum height of images (0 for none), whether an image may widen its card, whether
    the shapes of parameters are shown, the maximum width that code may request, and the largest cell of a feature map.
    """

    image: float = 150.0
    is_narrow: bool = False
    has_shapes: bool = True
    code: float = 150.0
    map_cell: float = 16.0


def _moved(words: Words, more: float) -> Words:
    """Return a line of text, moved for a card that became wider."""
    return replace(words, x=words.x + more * (1.0 if words.is_end else 0.5 * words.is_middle))


def face_of(station: Station, detail: Detail, width: float = 0.0) -> Face:
    """Return the face of a station; `width` is the width of its card, or 0 for as much as necessary."""
    if station.kind is StationKind.JOIN:
        return Face(JOIN, JOIN)
    width = width or width_needed(station, detail)
    face = Face(width, 0.0)
    y = PAD
    for words in _lines(station, width):
        y += words.size + (6 if words.size < 20 else 8)
        face.words.append(Words(**{**vars(words), "y": y - 4}))
    if detail.image and station.pixels is not None:
        cell, height = _cell(station.pixels, width, detail)
        face.images.append(Image(station.pixels, PAD, y + 6, cell))
        y += height + 10
        if station.pixels.caption:
            y += 16
            face.words.append(Words(station.pixels.caption, y - 2, TEXT, "mute"))
    y = _add_branches(face, station, width, y, detail)
    if station.series is not None:
        face.strip = (y + 8, _STRIP, PAD)
        y += _STRIP + 12
        face.words += _ends(station.series, width, y + 12)
        face.words.append(Words(f"|g| in {station.series.over}", y + 28, TEXT, "mute"))
        y += 34
    face.height = max(y + PAD, 2 * PAD + 44)
    face.drawer = list(_drawer(station.parameters, width, has_shapes=detail.has_shapes))
    face.drawer_height = ROW * len(station.parameters) + 10 if station.parameters else 0.0
    return face


def _add_branches(face: Face, station: Station, width: float, y: float, detail: Detail) -> float:
    """Add a panel for each branch, one below the other, with its image on the right; return where they end."""
    if not station.branches or not detail.image:
        return y
    most = replace(detail, image=min(_MOST_OF_BRANCH, detail.image))
    for branch in station.branches:
        top = y + 6
        if branch.pixels is None and not branch.text:
            face.words.append(Words(branch.title, top + 14, TEXT, "mute"))
            y = top + 18
            continue
        cell, height = _cell(branch.pixels, _IMAGE_OF_BRANCH, most) if branch.pixels else (0, 0)
        tall = max(46.0, height + 12)
        face.panels.append((PAD - 4, top, width - 2 * PAD + 8, tall))
        face.words.append(Words(branch.title, top + 18, TEXT, is_bold=True, x=PAD + 2))
        came = f"|g| {branch.text}"
        face.words.append(Words(came, top + 36, TEXT, "gradient", is_bold=True, x=PAD + 2))
        if branch.pixels is not None:
            left = width - PAD - 2 - cell * len(branch.pixels.cells[0])
            face.images.append(Image(branch.pixels, left, top + (tall - height) / 2, cell))
        y = top + tall
    return y


def _width_of_branches(station: Station, detail: Detail) -> float:
    if not station.branches or not detail.image:
        return 0.0
    most = replace(detail, image=min(_MOST_OF_BRANCH, detail.image))
    images = [
        _cell(b.pixels, _IMAGE_OF_BRANCH, most)[0] * len(b.pixels.cells[0])
        for b in station.branches
        if b.pixels
    ]
    texts = [
        max(width_of(b.title, TEXT, is_bold=True), width_of(f"|g| {b.text}", TEXT, is_bold=True))
        for b in station.branches
    ]
    return max(texts) + max(images, default=0.0) + 16


def _title(station: Station) -> str:
    is_loop = station.title.startswith(_LOOPS)
    return (
        f"{station.title} × {station.times}" if station.times > 1 and not is_loop else station.title
    )


def width_needed(station: Station, detail: Detail) -> float:
    widths = [
        width_of(_title(station), 16, is_bold=True),
        width_of(station.shape, TEXT, is_bold=True),
        width_of(station.number, 22, is_bold=True),
        min(detail.code, width_of(station.code, TEXT, is_code=True)),
        *(_width_of_note(note, detail) for note in station.notes),
    ]
    for each in station.parameters:
        shape = width_of(f" {each.shape}", TEXT) if detail.has_shapes else 0.0
        widths.append(
            width_of(each.name, TEXT) + shape + 14 + width_of(each.text, TEXT, is_bold=True)
        )
    is_map = station.pixels is not None and station.pixels.is_map
    if detail.image and station.pixels is not None and (is_map or not detail.is_narrow):
        cell, _ = _cell(station.pixels, _MOST, detail)
        widths.append(min(1.4 * detail.image, cell * len(station.pixels.cells[0])))
    if detail.image and station.pixels is not None:
        widths.append(width_of(station.pixels.caption, TEXT))
    if station.series is not None:
        widths.append(max(110.0, width_of(f"|g| in {station.series.over}", TEXT)))
    widths.append(_width_of_branches(station, detail))
    if station.mark:
        # Wide enough for the whole mark on a few lines.
        widths.append(max(120.0, min(160.0, width_of(station.mark, TEXT, is_bold=True) / 3)))
    return min(_MOST, max(_LEAST, max(widths) + 2 * PAD))


def _width_of_note(note: str, detail: Detail) -> float:
    """Return the width for a note, with space for its longest word, so that no word is broken."""
    longest = max(map(len, note.split()), default=0) * _LETTER * TEXT + 1
    return min(130.0, max(longest, min(detail.code, width_of(note, TEXT))))


def _lines(station: Station, width: float) -> Iterator[Words]:
    """Yield the texts from top to bottom, without their positions."""
    for part in _wrapped_title(_title(station), width):
        yield Words(part, 0, 16, is_bold=True)
    if station.shape:
        yield Words(station.shape, 0, TEXT, "value", is_bold=True)
    if station.code:
        rows = _MOST_LINES if station.kind is StationKind.BREAK else 2
        for part in _first(_wrapped(station.code, width, is_code=True), rows):
            yield Words(part, 0, TEXT, is_code=True)
    for note in station.notes:
        for part in _wrapped(note, width)[:_MOST_LINES]:
            yield Words(part, 0, TEXT, "mute")
    if station.number:
        yield Words(station.number, 0, 22, is_bold=True, data='data-number=""')
    if station.kind is StationKind.TARGET and station.text:
        yield Words(wording.SEED.format(text=station.text), 0, TEXT, "gradient", is_bold=True)
    if station.ops > 1:
        yield Words(f"{station.ops:,} ops", 0, TEXT, "mute")
    if station.mark:
        for part in _wrapped(station.mark, width)[: 2 * _MOST_LINES]:
            yield Words(part, 0, TEXT, "break", is_bold=True)


def _wrapped_title(title: str, width: float) -> list[str]:
    """Return the lines of a title; only a long title has several."""
    if width_of(title, 16, is_bold=True) <= width - 2 * PAD + 1:
        return [title]
    return textwrap.wrap(title, max(8, int((width - 2 * PAD) / 10)))


def _first(lines: list[str], count: int) -> list[str]:
    """Return the first lines; the last of them indicates that there are more."""
    if len(lines) <= count:
        return lines
    longest = max(map(len, lines))
    return [*lines[: count - 1], lines[count - 1][: longest - 1].rstrip("…") + "…"]


def _wrapped(text: str, width: float, *, is_code: bool = False) -> list[str]:
    """Return the lines of a text; code is broken after a bracket, a comma, a dot or a space."""
    if not is_code:
        return textwrap.wrap(text, max(8, int((width - 2 * PAD) / (_LETTER * TEXT))))
    most = max(8, int((width - 2 * PAD) / (0.6 * TEXT)))
    lines = [""]
    for token in re.findall(r"[^(,.\s]*[(,.\s]?", text):
        if lines[-1] and len(lines[-1] + token.rstrip()) > most:
            lines.append("")
        lines[-1] += token
    return [line.strip()[:most] for line in lines if line.strip()]


def on_one_scale(stations: Iterable[Station], detail: Detail) -> Detail:
    """Return the level of detail with the largest cell size at which all feature maps fit."""
    maps = [each.pixels for each in stations if each.pixels is not None and each.pixels.is_map]
    cells = [_cell(each, _MOST, detail)[0] for each in maps]
    return replace(detail, map_cell=min(cells)) if cells and detail.image else detail


def _cell(image: Pixels, width: float, detail: Detail) -> tuple[float, float]:
    """Return the size of a cell, and the height of the image."""
    if image.is_bars:
        return min(12.0, (width - 2 * PAD) / len(image.cells[0])), 36.0
    rows, columns = len(image.cells), len(image.cells[0])
    most = detail.map_cell if image.is_map else 16.0
    cell = min(most, detail.image / rows, max(40.0, width - 2 * PAD) / columns)
    return cell, cell * rows


def _ends(series: Series, width: float, y: float) -> Iterator[Words]:
    yield Words(series.first, y, TEXT, "gradient", is_bold=True)
    yield Words(series.last, y, TEXT, "gradient", is_bold=True, x=width - PAD, is_end=True)


def _drawer(
    parameters: tuple[Parameter, ...], width: float, *, has_shapes: bool
) -> Iterator[Words]:
    inner = width - 8
    for i, each in enumerate(parameters):
        y = 17 + ROW * i
        tone = _TONES.get(each.flow, "break")
        yield Words(each.name, y, TEXT, x=8)
        if has_shapes:
            yield Words(each.shape, y, TEXT, "mute", x=8 + width_of(each.name, TEXT) + 6)
        data = f'data-parameter="{i}"'
        yield Words(each.text, y, TEXT, tone, is_bold=True, x=inner - 8, is_end=True, data=data)
