import tensorflow as tf

tf.random.set_seed(0)
kernel = tf.Variable(tf.random.normal([3, 3, 1, 4], stddev=0.3), name="kernel")
head = tf.Variable(tf.random.normal([4, 2], stddev=0.3), name="head")
ramp = tf.linspace(0.0, 6.0, 16)
image = tf.sin(ramp)[:, None] * tf.cos(ramp)[None, :]
batch = tf.stack([image, tf.transpose(image)])[..., None]
with tf.GradientTape() as tape:
    maps = tf.nn.relu(tf.nn.conv2d(batch, kernel, strides=1, padding="SAME"))
    pooled = tf.nn.max_pool2d(maps, 2, 2, "VALID")
    logits = tf.reduce_mean(pooled, axis=[1, 2]) @ head
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], logits)
    loss = tf.reduce_mean(losses)
grads = tape.gradient(loss, [kernel, head])
