"""The datasets: files in Keras's cache are read as Keras reads them, and missing files are downloaded.

The network is a server on this machine that answers for the real addresses.
"""

import gzip
import http.client
import io
import json
import pickle
import re
import tarfile
import threading
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.errors import DownloadError
from minitape.keras.utils import files

Files = dict[str, bytes]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "keras"))
    return tmp_path / "keras"


@pytest.fixture
def network() -> Iterator[Files]:
    """Store bytes under a name; the server returns them for each address that ends with the name."""
    served: Files = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = served.get(self.path.split("?")[0].rsplit("/", 1)[-1])
            self.send_response(404 if content is None else 200)
            cut = (content or b"").removesuffix(b"CUT")
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(cut)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    class ToThisMachine(urllib.request.HTTPSHandler):
        def https_open(self, request: Any) -> Any:
            request.host = f"127.0.0.1:{server.server_port}"
            return self.do_open(http.client.HTTPConnection, request)

    before = urllib.request._opener  # type: ignore[attr-defined]
    urllib.request.install_opener(urllib.request.build_opener(ToThisMachine()))
    yield served
    urllib.request.install_opener(before)
    server.shutdown()
    server.server_close()


@pytest.fixture
def any_checksum(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small files made here replace the large ones whose checksums are known."""
    monkeypatch.setattr(files._Checksum, "of", lambda self, path: self.wanted)


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def lists(*rows: list[int]) -> Any:
    array = np.empty(len(rows), object)
    array[:] = rows
    return array


def tar(**members: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name.replace("__", "/"))
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return file.getvalue()


# --- each dataset ---


def test_mnist_returns_the_arrays_of_the_file(
    network: Files, any_checksum: None, home: Path
) -> None:
    pictures = np.arange(3 * 28 * 28, dtype=np.uint8).reshape(3, 28, 28)
    digits = np.array([7, 0, 3], np.uint8)
    network["mnist.npz"] = npz(
        x_train=pictures, y_train=digits, x_test=pictures[:1], y_test=digits[:1]
    )
    (x, y), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
    np.testing.assert_array_equal(x, pictures)
    np.testing.assert_array_equal(y, digits)
    assert (x_test.shape, y_test.tolist()) == ((1, 28, 28), [7])
    assert (home / "datasets" / "mnist.npz").is_file()


def test_fashion_mnist_reads_four_files_after_their_headers(network: Files) -> None:
    for part, count in (("train", 2), ("t10k", 1)):
        pictures = bytes(16) + bytes(range(28)) * 28 * count
        network[f"{part}-images-idx3-ubyte.gz"] = gzip.compress(pictures)
        network[f"{part}-labels-idx1-ubyte.gz"] = gzip.compress(bytes(8) + bytes([9, 4][:count]))
    (x, y), (x_test, y_test) = tf.keras.datasets.fashion_mnist.load_data()
    assert (x.shape, x.dtype, y.tolist()) == ((2, 28, 28), np.uint8, [9, 4])
    assert (x_test.shape, y_test.tolist()) == ((1, 28, 28), [9])
    assert x[1, 5, 7] == 7


def _batch(first: int, key: bytes = b"labels") -> bytes:
    planes = np.repeat([first, first + 1, first + 2], 1024).astype(np.uint8)  # red, green, blue
    return pickle.dumps({b"data": planes[None], key: [first]}, protocol=4)


def test_cifar10_is_unpacked_with_channels_last(
    network: Files, any_checksum: None, home: Path
) -> None:
    batches = {f"cifar-10-batches-py__data_batch_{i}": _batch(10 * i) for i in range(1, 6)}
    network["cifar-10-python.tar.gz"] = tar(
        **batches, **{"cifar-10-batches-py__test_batch": _batch(7)}
    )
    (x, y), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
    assert (x.shape, x.dtype) == ((5, 32, 32, 3), np.uint8)
    assert (y.tolist(), y.dtype) == ([[10], [20], [30], [40], [50]], np.uint8)
    assert x[1, 3, 4].tolist() == [20, 21, 22]
    assert (x_test[0, 0, 0].tolist(), y_test.tolist()) == ([7, 8, 9], [[7]])
    kept = home / "datasets" / "cifar-10-batches-py-target" / "cifar-10-batches-py"
    assert (kept / "data_batch_1").is_file()
    network.clear()
    again, _ = tf.keras.datasets.cifar10.load_data()  # from the folder
    np.testing.assert_array_equal(again[0], x)


@pytest.mark.parametrize("mode", ["fine", "coarse"])
def test_cifar100_has_fine_and_coarse_labels(network: Files, any_checksum: None, mode: str) -> None:
    key = f"{mode}_labels".encode()
    network["cifar-100-python.tar.gz"] = tar(
        **{"cifar-100-python__train": _batch(3, key), "cifar-100-python__test": _batch(8, key)}
    )
    (x, y), (_, y_test) = tf.keras.datasets.cifar100.load_data(label_mode=mode)
    assert (x.shape, y.tolist(), y.dtype) == ((1, 32, 32, 3), [[3]], np.int64)
    assert y_test.tolist() == [[8]]
    with pytest.raises(ValueError, match="label_mode"):
        tf.keras.datasets.cifar100.load_data("rough")


def test_boston_housing_is_shuffled_and_split_as_in_keras(
    network: Files, any_checksum: None
) -> None:
    """RandomState(113) puts ten rows into this order."""
    network["boston_housing.npz"] = npz(x=np.arange(20.0).reshape(10, 2), y=np.arange(10.0))
    (x, y), (x_test, y_test) = tf.keras.datasets.boston_housing.load_data()
    order = np.arange(10)
    np.random.RandomState(113).shuffle(order)
    assert [*y, *y_test] == order.tolist()
    assert (x.shape, x_test.shape) == ((8, 2), (2, 2))
    np.testing.assert_array_equal(x[:, 0], 2 * y)
    with pytest.raises(ValueError, match="test_split"):
        tf.keras.datasets.boston_housing.load_data(test_split=1.0)


def test_california_housing_has_a_small_version(network: Files, any_checksum: None) -> None:
    network["california_housing.npz"] = npz(x=np.ones((700, 8)), y=np.arange(700.0))
    (x, _), (x_test, _) = tf.keras.datasets.california_housing.load_data("small")
    assert (x.shape, x_test.shape) == ((480, 8), (120, 8))
    (x, _), _ = tf.keras.datasets.california_housing.load_data()
    assert x.shape == (560, 8)
    with pytest.raises(ValueError, match="version"):
        tf.keras.datasets.california_housing.load_data("tiny")


REVIEWS = lists([1, 5, 2], [4], [9, 1, 1, 8])


@pytest.fixture
def imdb(network: Files, any_checksum: None) -> Callable[..., Any]:
    network["imdb.npz"] = npz(
        x_train=REVIEWS, y_train=np.array([1, 0, 1]), x_test=REVIEWS, y_test=np.array([0, 1, 0])
    )

    def loaded(**run_options: Any) -> dict[int, Any]:
        """The reviews of the first part, by their length."""
        (x, y), (x_test, y_test) = tf.keras.datasets.imdb.load_data(**run_options)
        assert len(x) == len(y)
        assert len(x_test) == len(y_test)
        return {len(review): (review, int(label)) for review, label in zip(x, y, strict=True)}

    return loaded


def test_imdb_word_indices_are_shifted_and_rare_words_marked(imdb: Callable[..., Any]) -> None:
    """By default the largest number, 12, is the exclusive upper limit: Keras omits it."""
    assert imdb() == {4: ([1, 4, 8, 5], 1), 2: ([1, 7], 0), 5: ([1, 2, 4, 4, 11], 1)}
    assert imdb(num_words=8) == {4: ([1, 4, 2, 5], 1), 2: ([1, 7], 0), 5: ([1, 2, 4, 4, 2], 1)}
    assert imdb(num_words=20, skip_top=5) == {
        4: ([2, 2, 8, 5], 1),
        2: ([2, 7], 0),
        5: ([2, 12, 2, 2, 11], 1),
    }


def test_imdb_word_indices_can_be_left_unchanged(imdb: Callable[..., Any]) -> None:
    plain = imdb(num_words=20, start_char=None, index_from=0)
    assert plain == {3: ([1, 5, 2], 1), 1: ([4], 0), 4: ([9, 1, 1, 8], 1)}
    dropped = imdb(num_words=5, start_char=None, index_from=0, oov_char=None, maxlen=4)
    assert dropped == {2: ([1, 2], 1), 1: ([4], 0)}


def test_imdb_test_part_is_shuffled_after_training_part(imdb: Callable[..., Any]) -> None:
    """By the same generator, which has advanced: so the two parts, equal in the file, are in different orders."""
    (x, _), (x_test, y_test) = tf.keras.datasets.imdb.load_data(start_char=None)
    generator = np.random.RandomState(113)
    orders = np.arange(3), np.arange(3)
    for order in orders:
        generator.shuffle(order)
    assert [len(review) for review in x] == [len(REVIEWS[i]) for i in orders[0]]
    assert [len(review) for review in x_test] == [len(REVIEWS[i]) for i in orders[1]]
    assert y_test.tolist() == [[0, 1, 0][i] for i in orders[1]]
    assert list(orders[0]) != list(orders[1])


def test_imdb_with_maxlen_below_every_review_raises(imdb: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="maxlen=1"):
        imdb(maxlen=1)


def test_reuters_is_split_after_shuffling(network: Files, any_checksum: None) -> None:
    network["reuters.npz"] = npz(x=lists(*([i] for i in range(1, 11))), y=np.arange(1, 11))
    network["reuters_word_index.json"] = json.dumps({"the": 1}).encode()
    (x, y), (x_test, y_test) = tf.keras.datasets.reuters.load_data(num_words=100)
    assert [text[1] - 3 for text in [*x, *x_test]] == [*y, *y_test]
    assert (len(x), len(x_test)) == (8, 2)
    assert tf.keras.datasets.reuters.get_word_index() == {"the": 1}
    assert len(tf.keras.datasets.reuters.get_label_names()) == 46


# --- errors ---


def test_file_with_wrong_checksum_is_refused_and_deleted(network: Files, home: Path) -> None:
    network["mnist.npz"] = npz(x_train=[1], y_train=[1], x_test=[1], y_test=[1])
    with pytest.raises(
        ValueError, match="731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1"
    ):
        tf.keras.datasets.mnist.load_data()
    assert list((home / "datasets").iterdir()) == []


def test_missing_file_error_says_where_to_put_which_file(network: Files, home: Path) -> None:
    """The server does not have the file."""
    with pytest.raises(DownloadError) as error:
        tf.keras.datasets.mnist.load_data()
    said = str(error.value)
    assert "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz" in said
    assert "sha256 731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1" in said
    assert str(home / "datasets" / "mnist.npz") in said
    assert list((home / "datasets").iterdir()) == []


def test_interrupted_download_leaves_no_file(network: Files, home: Path) -> None:
    network["half.bin"] = b"half of itCUT"
    with pytest.raises(DownloadError, match="received only 10 of 13 bytes"):
        tf.keras.utils.get_file(origin="https://example.com/half.bin")
    assert list((home / "datasets").iterdir()) == []


def test_pickle_that_would_run_code_is_not_loaded(
    network: Files, any_checksum: None, tmp_path: Path
) -> None:
    class Harm:
        def __reduce__(self) -> Any:
            return Path.touch, (tmp_path / "touched",)

    array = np.empty(1, object)
    array[0] = Harm()
    network["imdb.npz"] = npz(x_train=array, y_train=[1], x_test=array, y_test=[1])
    with pytest.raises(pickle.UnpicklingError, match=r"calls .*, which no Keras dataset requires"):
        tf.keras.datasets.imdb.load_data()
    assert not (tmp_path / "touched").exists()


# --- get_file ---

SHA256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"  # of b"hello"
MD5 = "5d41402abc4b2a76b9719d911017c592"


@pytest.mark.parametrize(
    "checksum",
    [
        {"file_hash": SHA256},
        {"file_hash": MD5},
        {"md5_hash": MD5},
        {"file_hash": SHA256, "hash_algorithm": "sha256"},
        {},
    ],
)
def test_file_is_downloaded_once(network: Files, home: Path, checksum: dict[str, str]) -> None:
    network["word.txt"] = b"hello"
    path = tf.keras.utils.get_file(origin="https://example.com/a/word.txt?b=1", **checksum)
    assert path == str(home / "datasets" / "word.txt")
    network.clear()
    again = tf.keras.utils.get_file("word.txt", "https://example.com/a/word.txt", **checksum)
    assert Path(again).read_bytes() == b"hello"


def test_file_with_another_checksum_is_downloaded_again(network: Files, home: Path) -> None:
    network["word.txt"] = b"hello"
    (home / "datasets").mkdir(parents=True)
    (home / "datasets" / "word.txt").write_bytes(b"help")
    path = tf.keras.utils.get_file(origin="https://example.com/word.txt", file_hash=SHA256)
    assert Path(path).read_bytes() == b"hello"


def test_download_can_be_forced_and_stored_elsewhere(network: Files, tmp_path: Path) -> None:
    network["word.txt"] = b"hello"
    where = {
        "origin": "https://example.com/word.txt",
        "cache_dir": tmp_path,
        "cache_subdir": "mine",
    }
    path = tf.keras.utils.get_file(**where)
    assert path == str(tmp_path / "mine" / "word.txt")
    network["word.txt"] = b"news"
    assert Path(tf.keras.utils.get_file(**where)).read_bytes() == b"hello"
    assert Path(tf.keras.utils.get_file(**where, force_download=True)).read_bytes() == b"news"


@pytest.mark.parametrize(
    ("run_options", "folder"),
    [
        ({"fname": "notes", "extract": True}, "notes"),
        ({"fname": "notes.tar.gz", "untar": True}, "notes_extracted"),
        ({"extract": True}, "notes.tar.gz"),
        ({"extract": True, "archive_format": ["zip", "tar"]}, "notes.tar.gz"),
    ],
)
def test_archive_is_unpacked(
    network: Files, home: Path, run_options: dict[str, Any], folder: str
) -> None:
    network["notes.tar.gz"] = tar(deep__one=b"1")
    path = tf.keras.utils.get_file(origin="https://example.com/notes.tar.gz", **run_options)
    assert path == str(home / "datasets" / folder)
    assert Path(path, "deep", "one").read_bytes() == b"1"


def test_file_that_is_not_an_archive_is_not_unpacked(network: Files) -> None:
    network["notes.txt"] = b"hello"
    with pytest.warns(UserWarning, match="not an archive in a supported format"):
        tf.keras.utils.get_file(origin="https://example.com/notes.txt", extract=True)


@pytest.mark.parametrize(
    ("run_options", "said"),
    [
        ({}, "requires the URL"),
        ({"fname": "a/b", "origin": "https://example.com/c"}, "must be a name, not a path"),
        ({"origin": "https://example.com/"}, "does not end with a file name"),
        ({"origin": "https://example.com/c", "file_hash": "12", "hash_algorithm": "crc"}, "crc"),
    ],
)
def test_missing_name_or_address_raises(run_options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        tf.keras.utils.get_file(**run_options)
