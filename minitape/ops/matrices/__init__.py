"""Matrices taken apart in ways that few programs need.

    triangles    A = P·L·U, and solving with it
    eigen        eigenvalues of any matrix, and of three diagonals
    roots        the matrix whose square, or whose exponential, a matrix is
    bands        matrices with a few diagonals

They open with their first use.
"""
