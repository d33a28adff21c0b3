import tensorflow as tf

box = tf.Variable([0.0, 0.0, 1.0, 1.0], name="box")
gt = tf.constant([2.0, 2.0, 3.5, 3.0])


def iou(a, b):
    w = tf.maximum(0.0, tf.minimum(a[2], b[2]) - tf.maximum(a[0], b[0]))
    h = tf.maximum(0.0, tf.minimum(a[3], b[3]) - tf.maximum(a[1], b[1]))
    inter = w * h
    area = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return inter / (area - inter)


with tf.GradientTape() as tape:
    l = 1.0 - iou(box, gt) + 0.1 * tf.reduce_sum((box - gt) ** 2)
print(l.numpy(), tape.gradient(l, box).numpy())
