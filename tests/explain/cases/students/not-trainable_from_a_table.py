import tensorflow as tf

table = {"anchor": (0.5, False), "left": (1.0, True), "right": (2.0, True)}
spots = {
    name: tf.Variable(value, trainable=learn, name=name)
    for name, (value, learn) in table.items()
}

with tf.GradientTape() as tape:
    gaps = [spots["left"] - spots["anchor"], spots["right"] - spots["left"]]
    tension = sum(gap**2 for gap in gaps)

grads = tape.gradient(tension, spots)
print({name: None if g is None else float(g) for name, g in grads.items()})
