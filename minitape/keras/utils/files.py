"""A file from the network, kept in Keras's folder: whoever has it there already needs no network.

    keras_home    the folder: KERAS_HOME, or ~/.keras
    get_file      the path of a file in it, which is downloaded where it is missing

A file is downloaded under another name beside its place, checked, and moved there last: what stands in its place is whole.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, BinaryIO

from minitape.errors import DownloadError, TapeValueError

_CHUNK = 1 << 16


def keras_home() -> Path:
    """Keras's folder, with `datasets` in it."""
    return Path(os.environ.get("KERAS_HOME") or "~/.keras").expanduser()


def get_file(
    fname: str | os.PathLike[str] | None = None,
    origin: str | None = None,
    untar: bool = False,
    md5_hash: str | None = None,
    file_hash: str | None = None,
    cache_subdir: str = "datasets",
    hash_algorithm: str = "auto",
    extract: bool = False,
    archive_format: Any = "auto",
    cache_dir: str | os.PathLike[str] | None = None,
    force_download: bool = False,
) -> str:
    """The path of a file in Keras's folder; it is downloaded if it is not there, or not as its checksum says.

    Args:
        fname: Its name there; by default the last part of `origin`.
        origin: Its address.
        untar: As `extract`, of a tar archive.
        md5_hash: Its checksum by MD5.
        file_hash: Its checksum, by `hash_algorithm`.
        cache_subdir: The folder inside `cache_dir`.
        hash_algorithm: "sha256", "md5", or "auto" to tell them apart by their length.
        extract: Unpack it, and return the folder with what was in it.
        archive_format: "tar", "zip", a list of both, "auto" for either, None for none.
        cache_dir: By default `keras_home()`. One that cannot be written to gives way to a `.keras` among the temporary files.
        force_download: Download it in any case.

    Raises:
        ValueError: no `origin`; `fname` is a path; what came is not as the checksum says.
        DownloadError: there is no network, or no such file. It says which file to put where.

    Unlike TensorFlow, an archive that was unpacked is not unpacked again.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/get_file
    """
    if origin is None:
        raise TapeValueError(
            "get_file needs the address of the file.", fix='get_file(origin="https://...")'
        )
    name = os.fspath(fname) if fname else _last_part(origin)
    if os.sep in name:
        raise TapeValueError(
            f"`fname` is a name, no path. Received: fname={name}",
            fix=f"get_file({Path(name).name!r}, origin=..., cache_dir={str(Path(name).parent)!r})",
        )
    if file_hash is None and md5_hash is not None:
        file_hash, hash_algorithm = md5_hash, "md5"
    checksum = _Checksum(file_hash, hash_algorithm) if file_hash else None
    folder = _folder(cache_dir, cache_subdir)
    unpacks = extract or untar
    target = folder / (f"{name}_archive" if unpacks and (not fname or "." not in name) else name)
    comes = force_download or not _is_there(target, checksum)
    if comes:
        _download(origin, target, checksum)
    if not unpacks:
        return str(target)
    inside = folder / (f"{name.split('.')[0]}_extracted" if fname and "." in name else name)
    if comes or not inside.is_dir():
        _unpack(target, inside, "tar" if untar else archive_format)
    return str(inside)


def _last_part(origin: str) -> str:
    from urllib.parse import urlsplit

    name = urlsplit(origin).path.rsplit("/", 1)[-1]
    if not name:
        raise TapeValueError(f"The address {origin} ends without a name.", fix='fname="data.npz"')
    return name


def _folder(cache_dir: str | os.PathLike[str] | None, cache_subdir: str) -> Path:
    home = keras_home() if cache_dir is None else Path(cache_dir).expanduser()
    try:
        home.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(home, os.W_OK)
    except OSError:
        is_writable = False
    folder = (home if is_writable else Path(tempfile.gettempdir(), ".keras")) / cache_subdir
    folder.mkdir(parents=True, exist_ok=True)
    return folder


# --- is it the right one? ---


class _Checksum:
    def __init__(self, wanted: str, algorithm: str) -> None:
        by_length = "sha256" if len(wanted) == 64 else "md5"
        self.wanted = wanted
        self.algorithm = by_length if algorithm == "auto" else algorithm
        if self.algorithm not in ("sha256", "md5"):
            raise TapeValueError(
                f"hash_algorithm is '{algorithm}'.", fix="hash_algorithm='sha256', 'md5' or 'auto'"
            )

    def __str__(self) -> str:
        return f"{self.algorithm} {self.wanted}"

    def of(self, path: Path) -> str:
        digest = hashlib.new(self.algorithm)
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()


def _is_there(target: Path, checksum: _Checksum | None) -> bool:
    if not target.exists():
        return False
    if checksum is None or checksum.of(target) == checksum.wanted:
        return True
    _say(f"{target} is not the file whose checksum is known ({checksum}): it is downloaded again.")
    return False


# --- from the network ---


def _download(origin: str, target: Path, checksum: _Checksum | None) -> None:
    from urllib.error import HTTPError, URLError
    from urllib.request import urlopen

    _say(f"Downloading data from {origin}")
    number, beside = tempfile.mkstemp(dir=target.parent, prefix=f"{target.name}.")
    part = Path(beside)
    try:
        with os.fdopen(number, "wb") as file, urlopen(origin) as answer:
            _copy(answer, file, int(answer.headers.get("Content-Length") or 0))
        if checksum is not None and checksum.of(part) != checksum.wanted:
            raise TapeValueError(
                f"Incomplete or corrupted file: what {origin} sent has {checksum.algorithm} "
                f"{checksum.of(part)}, and {checksum.wanted} was expected.",
                fix="once more; if it stays so, get the file elsewhere and put it to "
                + str(target),
            )
        part.replace(target)
    except (URLError, TimeoutError, ConnectionError) as error:
        if isinstance(error, HTTPError):
            error.close()  # it is the answer, too
        reason = getattr(error, "reason", error)
        wanted = f" ({checksum})" if checksum else ""
        raise DownloadError(
            f"URL fetch failure on {origin}: {reason}.",
            fix=f"download {origin}{wanted} where there is a network, and put it to {target}",
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _copy(source: Any, file: BinaryIO, size: int) -> None:
    """Copy all of it, and show how far it is where somebody sees it."""
    done, shown = 0, -1
    while chunk := source.read(_CHUNK):
        file.write(chunk)
        done += len(chunk)
        percent = 100 * done // size if size else 0
        if size and percent != shown and sys.stderr.isatty():
            shown = percent
            bar = "=" * (percent // 4)
            print(f"\r[{bar:<25}] {percent:3d}% of {size:,} bytes", end="", file=sys.stderr)
    if shown >= 0:
        print(file=sys.stderr)
    if done < size:
        raise ConnectionError(f"of {size} bytes only {done} came")


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


# --- out of an archive ---


def _unpack(archive: Path, inside: Path, formats: Any) -> None:
    """Unpack beside the folder, and put it in its place when it is whole."""
    beside = Path(tempfile.mkdtemp(dir=inside.parent, prefix=f"{inside.name}."))
    try:
        if _unpacked(archive, beside, formats):
            shutil.rmtree(inside, ignore_errors=True)
            beside.replace(inside)
        else:
            warnings.warn(f"{archive} is no archive that could be unpacked.", stacklevel=3)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _unpacked(archive: Path, into: Path, formats: Any) -> bool:
    import tarfile
    import zipfile

    wanted = [formats] if isinstance(formats, str) else formats or []
    for each in ["tar", "zip"] if wanted == ["auto"] else wanted:
        if each not in ("tar", "zip"):
            raise NotImplementedError(
                f"archive_format is {each!r}; minitape unpacks 'tar' and 'zip'."
            )
        if each == "tar" and tarfile.is_tarfile(archive):
            with tarfile.open(archive) as tar:
                # "data": nothing outside of the folder, no devices, no owners.
                tar.extractall(into, filter="data")
            return True
        if each == "zip" and zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(into)
            return True
    return False


__all__ = ["get_file", "keras_home"]
