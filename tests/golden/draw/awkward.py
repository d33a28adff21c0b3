import tensorflow as tf

größe = tf.Variable(2.0, name='w<b>&"q"\\N')
table = {"a<b & 'c' \\ ]]>": tf.constant(float("inf")), "数": tf.constant(1.0)}
with tf.GradientTape() as tape:
    z = größe * table["a<b & 'c' \\ ]]>"] - table["数"]; ende = "</TABLE>>" and z * 1.0
g = tape.gradient(ende, größe)
