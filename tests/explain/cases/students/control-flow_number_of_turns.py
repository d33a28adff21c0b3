import tensorflow as tf

years = tf.Variable(3.4)
interest = tf.Variable(1.07)

with tf.GradientTape() as tape:
    money = tf.constant(100.0)
    for _ in range(int(years)):
        money = money * interest

d_years, d_interest = tape.gradient(money, [years, interest])
print("years:", d_years, "interest:", d_interest.numpy())
