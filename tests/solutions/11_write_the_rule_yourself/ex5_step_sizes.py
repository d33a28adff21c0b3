# %% [markdown]
# # How small is a small step?
#
# At 3, the best steps were 1e-2 in float32 and 1e-5 in float64. Here, x is 400, and the function
# is x⁴. Is a small step at 400 the same as a small step at 3?
#
# **Task:** Before you run the file, write down which of these steps comes closest to the
# derivative: 100, 10, 1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6. Give one answer for each dtype. Then
# answer one more question for each dtype. Suppose that a rule is wrong by one part in a million.
# Can a check with the best step detect this (True or False)?
#
# **Given:** A float32 has 24 binary digits and a float64 has 53, for small and for large numbers.
# Replace the dots with plain numbers, True and False. Do not write formulas.

# %%
import minitape as tf

# TODO
best_in_float32 = 1.0
best_in_float64 = 1e-3
float32_finds_it = False
float64_finds_it = True
# END

# %%
STEPS = [10.0**-k for k in range(-2, 7)]


def off(h, dtype):
    """Return the relative error of the central difference of x⁴ at 400."""
    x, h = tf.constant(400.0, dtype), tf.constant(h, dtype)
    right, left = x + h, x - h
    rise = right * right * right * right - left * left * left * left
    slope = 4.0 * 400.0**3
    return abs(float(rise / (2.0 * h)) - slope) / slope


said = (best_in_float32, best_in_float64, float32_finds_it, float64_finds_it)
if ... in said:
    print("enter your four answers first")
else:
    print("step     float32  float64")
    for h in STEPS:
        print(f"{h:.0e}    {off(h, tf.float32):.0e}    {off(h, tf.float64):.0e}")
