"""The wide half: one logistic regression a category over the distinct features of a text, log counts, unit length."""

import numpy as np
import scipy.sparse as sparse
from sklearn.linear_model import SGDClassifier

from features import BUCKETS
from model import CATEGORIES

STRENGTH = 2e-6
PASSES = 8


def matrix(blocks):
    """Rows as the engine weighs them (text/features.ts, bagOfFeatures)."""
    ids, values, ends = [], [], [0]
    for block in blocks:
        distinct, counts = np.unique(block[block != 0], return_counts=True)
        weights = 1 + np.log(counts)
        ids.append(distinct)
        values.append(weights / max(np.sqrt((weights**2).sum()), 1e-9))
        ends.append(ends[-1] + len(distinct))
    return sparse.csr_matrix((np.concatenate(values), np.concatenate(ids), ends), shape=(len(blocks), BUCKETS), dtype=np.float64)


def fit(rows, labels, weights, seed, columns=None):
    """Weights [BUCKETS, categories] and biases; columns left out stay zero."""
    table, bias = np.zeros((BUCKETS, len(CATEGORIES)), np.float32), np.full(len(CATEGORIES), -6.0, np.float32)
    for column in range(len(CATEGORIES)) if columns is None else columns:
        known = labels[:, column] >= 0
        truth = labels[known, column]
        if truth.sum() == 0:
            continue
        model = SGDClassifier(loss="log_loss", alpha=STRENGTH, max_iter=PASSES, tol=None, random_state=seed)
        model.fit(rows[known], truth, sample_weight=weights[known])
        table[:, column], bias[column] = model.coef_[0], model.intercept_[0]
    return table, bias


def logits(rows, fitted):
    table, bias = fitted
    return rows @ table + bias
