import tensorflow as tf

ws = [tf.Variable(1.0), tf.Variable(2.0)]
for w in ws:
    step = lambda x: w * x**2
    with tf.GradientTape() as tape:
        y = step(tf.constant(0.5))
    print(tape.gradient(y, w))
