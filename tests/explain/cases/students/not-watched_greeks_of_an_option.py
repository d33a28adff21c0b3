import tensorflow as tf

spot, strike = tf.Variable(100.0), 95.0
years = tf.constant(0.5)


def normal_cdf(x):
    return 0.5 * (1.0 + tf.math.erf(x / tf.sqrt(2.0)))


def call_price(spot, years, volatility=0.2):
    spread = volatility * tf.sqrt(years)
    d1 = (tf.math.log(spot / strike) + 0.5 * volatility**2 * years) / spread
    return spot * normal_cdf(d1) - strike * normal_cdf(d1 - spread)


with tf.GradientTape() as tape:
    price = call_price(spot, years)
delta, theta = tape.gradient(price, (spot, years))
print("delta:", delta.numpy(), "theta:", theta)
