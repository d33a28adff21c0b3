import tensorflow as tf


class Palette:
    def __init__(self):
        self.colours = tf.Variable([0.1, 0.4, 0.1, 0.9])
        self.light = tf.Variable(1.2)

    def distinct(self):
        seen = tf.unique(self.colours)
        return seen.y

    def contrast(self):
        shades = self.light * self.distinct()
        return tf.reduce_max(shades) - tf.reduce_min(shades)


palette = Palette()
with tf.GradientTape() as tape:
    contrast = palette.contrast()
grads = tape.gradient(contrast, [palette.colours, palette.light])
print(grads)
