import tensorflow as tf

layers = [tf.Variable(v, name=n) for n, v in (("one", 0.5), ("two", 1.5), ("three", 2.5))]
x = 2.0

with tf.GradientTape() as tape:
    out = x
    for layer in layers:
        out = tf.nn.softplus(layer * x)
    loss = tf.math.log(out)

for layer, grad in zip(layers, tape.gradient(loss, layers)):
    print(layer.name, grad)
