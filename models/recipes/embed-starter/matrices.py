"""Small tools for the sparse matrices of facts."""

import numpy as np
import scipy.sparse as sparse


def unit(matrix):
    return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-6)


class Triples:
    """Collects (row, column, weight) for one sparse matrix."""

    def __init__(self):
        self.rows, self.columns, self.weights = [], [], []

    def add(self, row, column, weight=1.0):
        self.rows.append(row)
        self.columns.append(column)
        self.weights.append(weight)

    def matrix(self, shape):
        return sparse.csr_matrix((np.array(self.weights, np.float32), (self.rows, self.columns)), shape=shape)


def row_normalized(matrix, power=1.0):
    matrix = matrix.power(power)
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return sparse.diags(1.0 / np.maximum(norms, 1e-6)).astype(np.float32) @ matrix
