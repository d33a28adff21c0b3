import math

import tensorflow as tf


def normal_cdf(x):
    return 0.5 * (1.0 + tf.math.erf(x / math.sqrt(2.0)))


def price(spot, volatility, strike=100.0, rate=0.01, years=0.5):
    spread = volatility * math.sqrt(years)
    d1 = (tf.math.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    return spot * normal_cdf(d1) - strike * math.exp(-rate * years) * normal_cdf(d1 - spread)


spot, volatility = tf.constant(105.0), tf.constant(0.2)
with tf.GradientTape() as outer:
    outer.watch(spot)
    with tf.GradientTape() as inner:
        inner.watch((spot, volatility))
        value = price(spot, volatility)
    delta, vega = inner.gradient(value, (spot, volatility))
gamma = outer.gradient(delta, spot)
print(float(value), float(delta), float(vega), float(gamma))
