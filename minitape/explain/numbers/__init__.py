"""Findings about values: the step that produced a zero, a NaN or an infinity.

zeros         the first step of the backward pass whose contribution is 0
cancellation  contributions that add up to 0
nans          the first step, of the backward or the forward pass, whose result is not finite
partial       contributions that are missing although others arrived
domains       inputs at or beyond the end of a function's domain
bad_elements  the element that is not finite, and the input from which it was computed
right_zeros   correct zeros
straight_through  an estimator in which the uses of a value cancel
"""
