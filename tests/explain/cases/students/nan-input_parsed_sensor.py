import tensorflow as tf

lines = ["12.5", "13.1", "nan", "12.9"]
readings = [float(line) for line in lines]
level = tf.Variable(12.0)

with tf.GradientTape() as tape:
    gaps = [level - reading for reading in readings]
    loss = tf.add_n([gap * gap for gap in gaps]) / len(gaps)

print("loss:", loss.numpy(), "grad:", tape.gradient(loss, level).numpy())
