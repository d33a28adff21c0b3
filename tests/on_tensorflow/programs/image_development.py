"""Develop a raw photograph: find the white balance, contrast and vignette that a reference print was made with."""

import numpy as np
import tensorflow as tf

SEED = 6
SIDE = 24


def make_raw():
    """A picture of soft blobs in three colours, values from 0 to 1."""
    rng = np.random.default_rng(SEED)
    y, x = np.mgrid[0:1:32j, 0:1:32j]
    raw = np.zeros((32, 32, 3))
    for _ in range(6):
        cx, cy, size = rng.uniform(0.0, 1.0, 3)
        blob = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (0.02 + 0.1 * size))
        raw += blob[..., None] * rng.uniform(0.1, 0.4, 3)
    return np.clip(raw, 0.05, 0.9).astype("float32")


def distance_from_centre(side):
    line = tf.linspace(-1.0, 1.0, side)
    return tf.sqrt(line[:, None] ** 2 + line[None, :] ** 2)[..., None]


class Darkroom:
    def __init__(self, balance, gamma, vignette, lift):
        self.balance = tf.Variable(balance, dtype=tf.float32, name="balance")
        self.gamma = tf.Variable(gamma, dtype=tf.float32, name="gamma")
        self.vignette = tf.Variable(vignette, dtype=tf.float32, name="vignette")
        self.lift = tf.Variable(lift, dtype=tf.float32, name="lift")

    @property
    def knobs(self):
        return [self.balance, self.gamma, self.vignette, self.lift]

    def develop(self, raw):
        """From the sensor to the print, as an image of floats between 0 and 1."""
        picture = tf.image.resize(raw, [SIDE, SIDE])
        picture = tf.pow(picture * self.balance, self.gamma)
        # prints are made from 8-bit files
        picture = tf.image.convert_image_dtype(picture, tf.uint8, saturate=True)
        picture = tf.image.convert_image_dtype(picture, tf.float32)
        picture = picture * (1.0 - self.vignette * distance_from_centre(SIDE) ** 2)
        return tf.image.adjust_brightness(picture, self.lift)


def difference(picture, reference):
    """Pixel by pixel, by structure, and in grey once more."""
    pixels = tf.reduce_mean(tf.square(picture - reference))
    structure = 1.0 - tf.image.ssim(picture, reference, max_val=1.0, filter_size=5)
    grey = tf.image.rgb_to_grayscale(tf.stack([picture, reference]))
    return 10.0 * pixels + structure + tf.reduce_mean(tf.abs(grey[0] - grey[1]))


def both_ways(raw):
    """The picture and its mirror image: the reference may hang either way."""
    return [raw, tf.image.flip_left_right(raw)]


def main():
    raw = make_raw()
    print_of = Darkroom([1.0, 0.9, 0.8], 0.8, 0.15, 0.02).develop
    references = [tf.stop_gradient(print_of(each)) for each in both_ways(raw)]

    room = Darkroom([0.9, 0.9, 0.9], 1.0, 0.05, 0.0)
    for turn in range(8):
        with tf.GradientTape() as tape:
            prints = [room.develop(each) for each in both_ways(raw)]
            loss = tf.add_n([difference(p, r) for p, r in zip(prints, references)]) / 2.0
        gradients = tape.gradient(loss, room.knobs)
        for knob, gradient in zip(room.knobs, gradients):
            if gradient is not None:
                knob.assign_sub(0.005 * gradient)
        if turn % 2 == 0:
            print(f"turn {turn}: difference {loss:.3f}")

    for knob, gradient in zip(room.knobs, gradients):
        value = np.array2string(knob.numpy(), precision=2)
        print(f"{knob.name:12} {value}", "no gradient" if gradient is None else "")
    print("variation of the print:", tf.image.total_variation(prints[0]).numpy().round())


if __name__ == "__main__":
    main()
