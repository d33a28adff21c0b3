"""Pictures: resized, cut, turned, adjusted, in other colours, measured, and what they say to what is no picture.

All in float32, for most of what TensorFlow computes of pictures is float32 whatever goes in.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from programs.case import Case, differs, rounds, table
from programs.slopes import slopes

BATCH = np.random.default_rng(3).uniform(0.05, 0.95, (2, 4, 5, 3)).round(3).tolist()
PICTURE = BATCH[0]
LARGE = np.random.default_rng(4).uniform(0.05, 0.95, (1, 13, 12, 2)).round(3).tolist()
# Black, white, grey, and ties of two or three, where one of the colours has to come first.
TIES = [[0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5], [1, 1, 0], [1, 0, 1], [0, 1, 1], [0.2, 0.5, 0.5]]
TIES += [[0.5, 0.2, 0.2], [0.2, 0.5, 0.2], [0.2, 0.2, 0.5], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
TIES = np.array(TIES, float).tolist()
BOXES = [[0.1, 0.05, 0.8, 0.7], [0.9, 0.2, 0.1, 1.3], [0.0, 0.0, 1.0, 1.0]]

METHODS = (
    "bilinear",
    "nearest",
    "bicubic",
    "area",
    "lanczos3",
    "lanczos5",
    "gaussian",
    "mitchellcubic",
)

# The ways back add up the same products in another order.
SUMS = rounds(2e-5, "sums of some hundred products of float32, in another order")


def _of(op: Callable[[Any, Any], Any], picture: Any = BATCH, **settings: Any) -> Any:
    return slopes(lambda tf, x: op(tf.image, x), picture, dtype="float32", **settings)


def _resize(size: Any, **settings: Any) -> Callable[[Any, Any], Any]:
    return lambda image, x: image.resize(x, size, **settings)


RESIZED = {
    **{
        f"resize_{method}_{'larger' if size[0] > 4 else 'smaller'}{'_antialias' if smooth else ''}": SUMS(
            _of(_resize(size, method=method, antialias=smooth), forward=not smooth)
        )
        for method in METHODS
        for size in ([3, 4], [7, 9])
        for smooth in (False, True)
    },
    "resize_of_one": SUMS(_of(_resize([3, 8]), PICTURE)),
    "resize_keeping_the_ratio": SUMS(_of(_resize([3, 8], preserve_aspect_ratio=True))),
    "resize_to_the_same": _of(_resize([4, 5])),
    "resize_with_pad": SUMS(_of(lambda image, x: image.resize_with_pad(x, 8, 9))),
    "resize_with_pad_of_one": SUMS(_of(lambda image, x: image.resize_with_pad(x, 3, 9), PICTURE)),
}

FRAMED = {
    "crop": _of(lambda image, x: image.crop_to_bounding_box(x, 1, 2, 3, 2)),
    "pad": _of(lambda image, x: image.pad_to_bounding_box(x, 1, 2, 7, 8)),
    "central_crop": _of(lambda image, x: image.central_crop(x, 0.5)),
    "central_crop_of_all": _of(lambda image, x: image.central_crop(x, 1.0)),
    **{
        f"crop_or_pad_{height}_{width}": _of(
            lambda image, x, h=height, w=width: image.resize_with_crop_or_pad(x, h, w)
        )
        for height, width in ((3, 8), (7, 2), (4, 5))
    },
    "flip_left_right": _of(lambda image, x: image.flip_left_right(x)),
    "flip_up_down": _of(lambda image, x: image.flip_up_down(x), PICTURE),
    "transpose": _of(lambda image, x: image.transpose(x)),
    **{f"rot90_{k}": _of(lambda image, x, k=k: image.rot90(x, k), PICTURE) for k in range(-1, 4)},
    "extract_patches": _of(
        lambda image, x: image.extract_patches(x, [1, 2, 3, 1], [1, 1, 2, 1], [1, 2, 1, 1], "SAME")
    ),
    "crop_and_resize": slopes(
        lambda tf, x, boxes: tf.image.crop_and_resize(x, boxes, [1, 0, 0], [3, 4]),
        BATCH,
        BOXES,
        dtype="float32",
        forward=False,
    ),
    "crop_and_resize_by_nearest": slopes(
        lambda tf, x, boxes: tf.image.crop_and_resize(
            x, boxes, [1, 0, 0], [1, 4], method="nearest", extrapolation_value=0.5
        ),
        BATCH,
        BOXES,
        dtype="float32",
        forward=False,
    ),
}

ADJUSTED = {
    "standardization": SUMS(_of(lambda image, x: image.per_image_standardization(x))),
    "brightness": _of(lambda image, x: image.adjust_brightness(x, 0.1)),
    "gamma": _of(lambda image, x: image.adjust_gamma(x, 0.7, 2)),
    "contrast": _of(lambda image, x: image.adjust_contrast(x, 0.6)),
    "saturation": _of(lambda image, x: image.adjust_saturation(x, 1.6)),
    "hue": _of(lambda image, x: image.adjust_hue(x, -0.3)),
    "to_grayscale": _of(lambda image, x: image.rgb_to_grayscale(x)),
    "from_grayscale": _of(lambda image, x: image.grayscale_to_rgb(x[..., :1])),
    "to_hsv": SUMS(_of(lambda image, x: image.rgb_to_hsv(x))),
    "to_hsv_at_ties": _of(lambda image, x: image.rgb_to_hsv(x), TIES),
    "from_hsv": _of(lambda image, x: image.hsv_to_rgb(x)),
    "to_yiq": _of(lambda image, x: image.rgb_to_yiq(x)),
    "from_yiq": _of(lambda image, x: image.yiq_to_rgb(x)),
    "to_yuv": _of(lambda image, x: image.rgb_to_yuv(x)),
    "from_yuv": _of(lambda image, x: image.yuv_to_rgb(x)),
}

MEASURED = {
    "image_gradients": _of(lambda image, x: image.image_gradients(x)),
    "sobel_edges": SUMS(_of(lambda image, x: image.sobel_edges(x))),
    "total_variation": _of(lambda image, x: image.total_variation(x)),
    "total_variation_of_one": _of(lambda image, x: image.total_variation(x), PICTURE),
    "psnr": SUMS(_of(lambda image, x: image.psnr(x, x * x, 1.0))),
    "ssim": SUMS(_of(lambda image, x: image.ssim(x, x * x, 1.0), LARGE)),
    "ssim_map": SUMS(
        _of(lambda image, x: image.ssim(x, x * x, 1.0, 5, return_index_map=True), LARGE)
    ),
    "ssim_multiscale": SUMS(
        _of(lambda image, x: image.ssim_multiscale(x, x * x, 1.0, (0.5, 0.5), filter_size=4), LARGE)
    ),
}


def _whole(op: Callable[[Any, Any], Any], dtype: str = "uint8") -> Any:
    """A picture of whole numbers: values only."""
    return lambda tf, np: op(tf.image, tf.constant((np.array(BATCH) * 250).astype(dtype)))


WHOLE = {
    "whole_resize": _whole(lambda image, x: image.resize(x, [3, 3])),
    "whole_resize_by_nearest": _whole(lambda image, x: image.resize(x, [3, 3], "nearest")),
    "whole_brightness": _whole(lambda image, x: image.adjust_brightness(x, 0.3)),
    "whole_contrast": _whole(lambda image, x: image.adjust_contrast(x, 1.7)),
    "whole_saturation": _whole(lambda image, x: image.adjust_saturation(x, 0.6)),
    "whole_hue": _whole(lambda image, x: image.adjust_hue(x, 0.2)),
    "whole_gamma": _whole(lambda image, x: image.adjust_gamma(x, 0.7)),
    "whole_to_grayscale": _whole(lambda image, x: image.rgb_to_grayscale(x)),
    "whole_standardization": _whole(lambda image, x: image.per_image_standardization(x)),
    "whole_psnr": _whole(lambda image, x: image.psnr(x, x // 2, 255)),
    "whole_crop": _whole(lambda image, x: image.central_crop(x, 0.5), "int32"),
    **{
        f"convert_{have}_to_{want}{'_saturated' if saturate else ''}": (
            lambda tf, np, have=have, want=want, saturate=saturate: tf.image.convert_image_dtype(
                tf.constant(np.array([0, 1, 5, 100, 127]).astype(have)), want, saturate
            )
        )
        for have in ("uint8", "int16", "int32", "float32")
        for want in ("uint8", "int16", "float32", "float16")
        for saturate in (False, True)
        if have != "float32" or saturate or want.startswith("float")
    },
}

REFUSED = {
    f"refused_{name}": (lambda tf, np, op=op: op(tf.image, tf.constant(BATCH)))
    for name, op in {
        "resize_of_a_matrix": lambda image, x: image.resize(x[0, 0], [3, 3]),
        "resize_to_one_number": lambda image, x: image.resize(x, [3]),
        "resize_to_nothing": lambda image, x: image.resize(x, [0, 3]),
        "resize_to_floats": lambda image, x: image.resize(x, [3.0, 2.0]),
        "unknown_method": lambda image, x: image.resize(x, [3, 3], "cubic"),
        "crop_outside": lambda image, x: image.crop_to_bounding_box(x, 1, 1, 9, 9),
        "crop_of_nothing": lambda image, x: image.crop_to_bounding_box(x, 1, 1, 0, 2),
        "pad_to_less": lambda image, x: image.pad_to_bounding_box(x, 1, 1, 2, 2),
        "central_crop_of_more": lambda image, x: image.central_crop(x, 1.5),
        "gray_of_two_channels": lambda image, x: image.rgb_to_grayscale(x[..., :2]),
        "colours_of_gray": lambda image, x: image.grayscale_to_rgb(x),
        "negative_gamma": lambda image, x: image.adjust_gamma(x, -1.0),
        "two_turns_of_hue": lambda image, x: image.adjust_hue(x, 2.0),
        "saturation_of_two_channels": lambda image, x: image.adjust_saturation(x[..., :2], 2.0),
        "contrast_of_a_matrix": lambda image, x: image.adjust_contrast(x[0, 0], 2.0),
        "psnr_of_two_sizes": lambda image, x: image.psnr(x, x[:, :2], 1.0),
        "ssim_of_two_sizes": lambda image, x: image.ssim(x, x[:, :2], 1.0),
        "ssim_of_little": lambda image, x: image.ssim(x, x, 1.0),
        "convert_to_bool": lambda image, x: image.convert_image_dtype(x, "bool"),
        "convert_from_bool": lambda image, x: image.convert_image_dtype(x > 0, "float32"),
        "patches_of_two_numbers": lambda image, x: image.extract_patches(
            x, [2, 2], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"
        ),
        "patches_with_other_padding": lambda image, x: image.extract_patches(
            x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "FULL"
        ),
        "boxes_of_three": lambda image, x: image.crop_and_resize(x, [[0.0, 0, 1]], [0], [3, 3]),
        "boxes_by_cubic": lambda image, x: image.crop_and_resize(
            x, [[0.0, 0, 1, 1]], [0], [3, 3], "cubic"
        ),
        "brightness_below_zero": lambda image, x: image.random_brightness(x, -1.0),
        "contrast_upside_down": lambda image, x: image.random_contrast(x, 2.0, 1.0),
        "hue_of_more_than_half": lambda image, x: image.random_hue(x, 0.9),
        "crop_larger_than_all": lambda image, x: image.random_crop(x, [9, 9, 9, 9]),
        "standardization_of_a_matrix": lambda image, x: image.per_image_standardization(x[0, 0]),
        "gradients_of_one": lambda image, x: image.image_gradients(x[0]),
    }.items()
}


@differs(
    "One error for a number of a row that is not there, whatever op asks for it.",
    raises="InvalidArgumentError",
)
def boxes_of_no_picture(tf: Any, np: Any) -> Any:
    return tf.image.crop_and_resize(tf.constant(BATCH), [[0.0, 0, 1, 1]], [4], [3, 3])


@differs("One error for all ops that want three channels.", raises="InvalidArgumentError")
def hsv_of_two_channels(tf: Any, np: Any) -> Any:
    return tf.image.rgb_to_hsv(tf.constant(BATCH)[..., :2])


def random_changes_keep_shape_and_dtype(tf: Any, np: Any) -> Any:
    x = tf.constant(BATCH)
    image = tf.image
    changed = [
        image.random_flip_left_right(x),
        image.random_flip_up_down(x[0]),
        image.random_crop(x, [2, 3, 2, 3]),
        image.random_brightness(x, 0.2),
        image.random_contrast(x, 0.5, 1.5),
        image.random_hue(x, 0.2),
        image.random_saturation(x, 0.5, 1.5),
        image.stateless_random_flip_left_right(x, [1, 2]),
        image.stateless_random_crop(x, [2, 3, 2, 3], [1, 2]),
        image.stateless_random_brightness(tf.cast(x * 255, tf.uint8), 0.2, [1, 2]),
    ]
    return [[y.shape, y.dtype] for y in changed]


def the_gradient_of_a_random_flip_comes_back(tf: Any, np: Any) -> Any:
    """Each pixel counts once, wherever it went."""
    x = tf.constant(BATCH)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.random_flip_left_right(x)
    return tape.gradient(y, x)


TABLE: tuple[Case, ...] = table({**RESIZED, **FRAMED, **ADJUSTED, **MEASURED, **WHOLE, **REFUSED})
