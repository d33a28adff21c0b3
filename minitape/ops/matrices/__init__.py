"""Matrix functions that few programs need.

    triangles    A = P·L·U, and linear systems
    eigen        eigenvalues of general and of tridiagonal matrices
    roots        square root and logarithm of a matrix
    bands        band matrices

These modules are imported when they are first used.
"""
