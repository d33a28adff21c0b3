import tensorflow as tf

ws = [tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0)]
parts = []
for w in ws:
    parts.append(lambda x: w * x**2)

with tf.GradientTape() as tape:
    total = tf.add_n([part(tf.constant(0.5)) for part in parts])
print(tape.gradient(total, ws))
