"""Functions that few programs need: of each element alone.

    gammas       the gamma and the beta function, as far as a limit
    bessel       Bessel functions of the orders 0 and 1
    drawing      random numbers of other kinds
    integrals    integrals without a formula: Dawson, exponential, Fresnel, dilogarithm

They open with their first use. NumPy has none of them; each kernel computes in float64, by the formula that stands with it.
"""
