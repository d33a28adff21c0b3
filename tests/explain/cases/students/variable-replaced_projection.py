import tensorflow as tf

mix = tf.Variable([0.6, 0.9, 0.2])
cost = tf.constant([3.0, 1.0, 2.0])
need = 2.0

for day in range(3):
    with tf.GradientTape() as tape:
        bill = tf.reduce_sum(cost * mix)
        shortage = need - tf.reduce_sum(mix)
        objective = bill + 4.0 * shortage**2
    slope = tape.gradient(objective, mix)
    new_mix = mix - 0.2 * slope
    mix = tf.clip_by_value(new_mix, 0.0, 1.0)
    print("day", day, objective.numpy())
