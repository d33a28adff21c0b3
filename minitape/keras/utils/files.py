"""Download files, and cache them in Keras's directory.

    keras_home    returns the directory, which is KERAS_HOME or ~/.keras
    get_file      returns the path of a file in the directory, and downloads the file if it is missing

A file is downloaded under a temporary name, checked, and then renamed, so that a file with the final name is always complete.
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
    """Return Keras's directory, which contains `datasets`.

    Returns:
        A path.
    """
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
    """Return the path of a file in Keras's directory; download it if it is missing or does not match its checksum.

    Unlike TensorFlow, an archive that was extracted is not extracted again.

    Args:
        fname: Name of the file in the directory; by default the last part of `origin`.
        origin: URL of the file.
        untar: Whether to extract a tar archive; an older form of `extract`.
        md5_hash: MD5 checksum.
        file_hash: Checksum computed with `hash_algorithm`.
        cache_subdir: Subdirectory of `cache_dir`.
        hash_algorithm: "sha256", "md5", or "auto" to infer it from the length of `file_hash`.
        extract: Whether to extract an archive and return the directory with its contents.
        archive_format: "tar", "zip", a list of both, or "auto" for either format; with None, nothing is extracted.
        cache_dir: The directory; `keras_home()` by default. If it is not writable, `.keras` in the temporary directory is
            used.
        force_download: Whether to download the file even if it exists.

    Returns:
        The path of the file, or of the directory with the contents of an archive.

    Raises:
        ValueError: `origin` is missing, `fname` is a path, or the downloaded file does not match its checksum.
        DownloadError: there is no network, or the URL does not exist. The message names the file to download and its
            location.

    Source: https://www.tensorflow.org/api_docs/python/tf/keras/utils/get_file
    """
    if origin is None:
        raise TapeValueError(
            "`get_file` requires the URL of the file.", fix='call `get_file(origin="https://...")`'
        )
    name = os.fspath(fname) if fname else _last_part(origin)
    if os.sep in name:
        raise TapeValueError(
            f"`fname` must be a name, not a path. Received: fname={name}",
            fix=f"use `get_file({Path(name).name!r}, origin=..., cache_dir={str(Path(name).parent)!r})`",
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
        raise TapeValueError(
            f"The URL {origin} does not end with a file name.", fix='pass `fname="data.npz"`'
        )
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


# --- checksums ---


class _Checksum:
    def __init__(self, wanted: str, algorithm: str) -> None:
        by_length = "sha256" if len(wanted) == 64 else "md5"
        self.wanted = wanted
        self.algorithm = by_length if algorithm == "auto" else algorithm
        if self.algorithm not in ("sha256", "md5"):
            raise TapeValueError(
                f"Unknown `hash_algorithm`: '{algorithm}'", fix="pass `hash_algorithm='auto'`"
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
    _say(f"{target} does not match its checksum ({checksum}). Downloading it again.")
    return False


# --- download ---


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
                f"Incomplete or corrupted file: the download from {origin} has {checksum.algorithm} "
                f"{checksum.of(part)}. Expected: {checksum.wanted}",
                fix=f"run the program again; if the error persists, save the file from another source as {target}",
            )
        part.replace(target)
    except (URLError, TimeoutError, ConnectionError) as error:
        if isinstance(error, HTTPError):
            error.close()  # an HTTPError is an open HTTP response, which has to be closed
        reason = getattr(error, "reason", error)
        wanted = f" ({checksum})" if checksum else ""
        raise DownloadError(
            f"URL fetch failure on {origin}: {reason}.",
            fix=f"download {origin}{wanted} on a computer with a network connection, and save the file as {target}",
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _copy(source: Any, file: BinaryIO, size: int) -> None:
    """Copy all data, and show the progress if the output is a terminal."""
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
        raise ConnectionError(f"received only {done} of {size} bytes")


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


# --- archives ---


def _unpack(archive: Path, inside: Path, formats: Any) -> None:
    """Extract an archive into a temporary directory, and rename the directory when it is complete."""
    beside = Path(tempfile.mkdtemp(dir=inside.parent, prefix=f"{inside.name}."))
    try:
        if _unpacked(archive, beside, formats):
            shutil.rmtree(inside, ignore_errors=True)
            beside.replace(inside)
        else:
            warnings.warn(f"{archive} is not an archive in a supported format.", stacklevel=3)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _unpacked(archive: Path, into: Path, formats: Any) -> bool:
    import tarfile
    import zipfile

    wanted = [formats] if isinstance(formats, str) else formats or []
    for each in ["tar", "zip"] if wanted == ["auto"] else wanted:
        if each not in ("tar", "zip"):
            raise NotImplementedError(
                f"Unknown `archive_format`: {each!r}. The supported formats are 'tar' and 'zip'."
            )
        if each == "tar" and tarfile.is_tarfile(archive):
            with tarfile.open(archive) as tar:
                # The filter "data" allows no files outside the directory and no devices, and ignores owners.
                tar.extractall(into, filter="data")
            return True
        if each == "zip" and zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(into)
            return True
    return False


__all__ = ["get_file", "keras_home"]
