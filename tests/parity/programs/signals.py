"""Fourier transforms, cosines, pieces of signals and windows; gradients, second order, forward mode."""

from typing import Any

import numpy as np

from programs.case import Case, differs, rounds, table
from programs.slopes import slopes

RANDOM = np.random.default_rng(11)
REAL = RANDOM.normal(size=(2, 4, 6)).round(3).tolist()
OTHER = RANDOM.normal(size=(2, 4, 6)).round(3).tolist()
SAMPLES = RANDOM.normal(size=(2, 30)).round(3).tolist()
# Windows and factors are float32 in TensorFlow where minitape rounds once from float64.
ONCE = rounds(1e-6, "TensorFlow computes windows and factors of these in float32 steps")


def _complex(name: str, *settings: Any) -> Any:
    return slopes(
        lambda tf, a, b: getattr(tf.signal, name)(tf.complex(a, b), *settings), REAL, OTHER
    )


def _real(name: str, *settings: Any, **named: Any) -> Any:
    return slopes(lambda tf, x: getattr(tf.signal, name)(x, *settings, **named), REAL)


TRANSFORMS = {
    **{name: _complex(name) for name in ("fft", "ifft", "fft2d", "ifft2d", "fft3d", "ifft3d")},
    **{name: _real(name) for name in ("rfft", "rfft2d")},
    **{name: _complex(name) for name in ("irfft", "irfft2d")},
    "rfft_filled_up": _real("rfft", [8]),
    "rfft2d_of_other_sizes": _real("rfft2d", [5, 8]),
    "irfft_filled_up": _complex("irfft", [20]),
    "fftshift": _real("fftshift"),
    "fftshift_of_one_axis": _real("fftshift", [1]),
    "ifftshift": _real("ifftshift", -1),
    **{
        f"{name}_{kind}{'_ortho' if norm else ''}": _real(name, type=kind, norm=norm)
        for name in ("dct", "idct")
        for kind in (1, 2, 3, 4)
        for norm in (None, "ortho")
        if kind != 1 or norm is None
    },
    "dct_cut_off": _real("dct", n=4),
    "dct_filled_up": _real("dct", n=8),
}

PIECES = {
    "frame": lambda tf, x: tf.signal.frame(x, 7, 3),
    "frame_to_the_end": lambda tf, x: tf.signal.frame(x, 7, 3, pad_end=True, pad_value=2.0),
    "frame_of_the_first_axis": lambda tf, x: tf.signal.frame(tf.transpose(x), 7, 3, axis=0),
    "frame_of_more_than_all": lambda tf, x: tf.signal.frame(x, 40, 3),
    "overlap_and_add": lambda tf, x: tf.signal.overlap_and_add(tf.reshape(x, [2, 5, 6]), 2),
    "overlap_and_add_with_gaps": lambda tf, x: tf.signal.overlap_and_add(
        tf.reshape(x, [2, 5, 6]), 8
    ),
    "stft": lambda tf, x: tf.signal.stft(x, 8, 3),
    "stft_without_window": lambda tf, x: tf.signal.stft(x, 6, 3, window_fn=None),
    "stft_to_the_end": lambda tf, x: tf.signal.stft(x, 8, 3, fft_length=10, pad_end=True),
    "inverse_stft": lambda tf, x: tf.signal.inverse_stft(
        tf.signal.stft(x, 8, 2), 8, 2, window_fn=tf.signal.inverse_stft_window_fn(2)
    ),
    "mfccs": lambda tf, x: tf.signal.mfccs_from_log_mel_spectrograms(x),
}


def windows(tf: Any, np: Any) -> Any:
    signal = tf.signal
    return [
        *(
            getattr(signal, name)(size)
            for name in ("hann_window", "hamming_window")
            for size in (1, 5, 6)
        ),
        signal.hann_window(6, periodic=False, dtype=tf.float64),
        signal.kaiser_window(5),
        signal.kaiser_window(6, beta=4.0),
        signal.vorbis_window(6),
        signal.inverse_stft_window_fn(2)(6, tf.float32),
    ]


def mel_bands(tf: Any, np: Any) -> Any:
    return tf.signal.linear_to_mel_weight_matrix(4, 17, 8000, 125.0, 3800.0, tf.float64)


def cut_off(tf: Any, np: Any) -> Any:
    """Values only: TensorFlow has no way back from here."""
    x, z = tf.constant(REAL), tf.complex(tf.constant(REAL), tf.constant(OTHER))
    return [tf.signal.rfft(x, [4]), tf.signal.irfft(z, [6]), tf.signal.irfft(z, [7])]


def a_real_part_of_a_spectrum(tf: Any, np: Any) -> Any:
    """What a loss on magnitudes owes the signal."""
    x = tf.constant(REAL)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_mean(tf.abs(tf.signal.rfft(x)) ** 2)
    return tape.gradient(loss, x)


@differs("minitape has a gradient where TensorFlow has none.", gives="a gradient")
def rfft3d(tf: Any, np: Any) -> Any:
    x = tf.constant(REAL)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.abs(tf.signal.rfft3d(x)) ** 2)
    return "a gradient" if tape.gradient(loss, x) is not None else "None"


@differs("minitape has a gradient for odd lengths too.", gives="a gradient")
def rfft_of_odd_length(tf: Any, np: Any) -> Any:
    x = tf.constant(REAL)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.abs(tf.signal.rfft(x, [5])) ** 2)
    return "a gradient" if tape.gradient(loss, x) is not None else "None"


REFUSED = {
    "fft_of_floats": lambda s, x: s.fft(x),
    "fft2d_of_one_axis": lambda s, x: s.fft2d(x[0, 0]),
    "rfft_of_two_lengths": lambda s, x: s.rfft(x, [4, 4]),
    "dct_5": lambda s, x: s.dct(x, 5),
    "dct_1_ortho": lambda s, x: s.dct(x, 1, norm="ortho"),
    "dct_of_another_norm": lambda s, x: s.dct(x, norm="x"),
    "dct_of_another_axis": lambda s, x: s.dct(x, axis=0),
    "dct_1_of_one": lambda s, x: s.dct(x[..., :1], 1),
    "overlap_of_a_line": lambda s, x: s.overlap_and_add(x[0, 0], 2),
}

TABLE: tuple[Case, ...] = table(
    {
        **TRANSFORMS,
        **{name: ONCE(slopes(op, SAMPLES)) for name, op in PIECES.items()},
        **{
            f"refused_{name}": (lambda tf, np, op=op: op(tf.signal, tf.constant(REAL)))
            for name, op in REFUSED.items()
        },
    }
)
