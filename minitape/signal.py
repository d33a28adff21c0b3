"""`tf.signal`: Fourier transforms, frames and windows. The module is imported automatically when it is first used."""

from minitape.lazy_namespace import helpful_getattr
from minitape.ops.signals.fourier import (
    dct,
    fft,
    fft2d,
    fft3d,
    fftshift,
    idct,
    ifft,
    ifft2d,
    ifft3d,
    ifftshift,
    irfft,
    irfft2d,
    irfft3d,
    rfft,
    rfft2d,
    rfft3d,
)
from minitape.ops.signals.framing import (
    frame,
    inverse_stft,
    linear_to_mel_weight_matrix,
    mfccs_from_log_mel_spectrograms,
    overlap_and_add,
    stft,
)
from minitape.ops.signals.windows import (
    hamming_window,
    hann_window,
    inverse_stft_window_fn,
    kaiser_window,
    vorbis_window,
)

__getattr__ = helpful_getattr(__name__)

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "fftshift",
    "frame",
    "hamming_window",
    "hann_window",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftshift",
    "inverse_stft",
    "inverse_stft_window_fn",
    "irfft",
    "irfft2d",
    "irfft3d",
    "kaiser_window",
    "linear_to_mel_weight_matrix",
    "mfccs_from_log_mel_spectrograms",
    "overlap_and_add",
    "rfft",
    "rfft2d",
    "rfft3d",
    "stft",
    "vorbis_window",
]
