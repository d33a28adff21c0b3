"""Elementwise functions that few programs need.

    gammas         the incomplete gamma and beta functions
    bessel         Bessel functions of orders 0 and 1
    distributions  random numbers from other distributions
    integrals      integrals: Dawson, exponential, Fresnel, dilogarithm

These modules are imported when they are first used. NumPy has none of these functions; the kernels compute in float64, and
comments state the formulas.
"""
