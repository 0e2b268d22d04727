"""Figures on rows nobody trained on: AUPRC, F1 at the default threshold, recall at 5 % false positives, calibration."""

import numpy as np
from sklearn.metrics import average_precision_score, roc_curve

from model import CATEGORIES

FOLDS = 5


def sigmoid(logits):
    return 1 / (1 + np.exp(-logits))


def recall_at_fpr(truth, scores, rate=0.05):
    false_rate, recall, _ = roc_curve(truth, scores)
    return float(recall[false_rate <= rate].max())


def calibration_error(truth, scores, bins=10):
    """Expected calibration error over equal-width bins."""
    places = np.minimum((scores * bins).astype(int), bins - 1)
    return float(sum(abs(truth[places == b].mean() - scores[places == b].mean()) * (places == b).mean() for b in range(bins) if (places == b).any()))


def f1(truth, flagged):
    hit = (truth & flagged).sum()
    return float(2 * hit / max(truth.sum() + flagged.sum(), 1))


def figures(truth, scores, threshold):
    """None where a class is missing."""
    truth = truth.astype(bool)
    if len(truth) == 0 or truth.all() or not truth.any():
        return None
    values = {
        "rows": len(truth),
        "positives": int(truth.sum()),
        "auprc": average_precision_score(truth, scores),
        "f1": f1(truth, scores >= threshold),
        "recall_at_fpr5": recall_at_fpr(truth, scores),
        "ece": calibration_error(truth.astype(float), scores),
    }
    return {name: round(float(value), 4) for name, value in values.items()}


def by_category(labels, scores, thresholds):
    found = {}
    for column, name in enumerate(CATEGORIES):
        known = labels[:, column] >= 0
        values = figures(labels[known, column], scores[known, column], thresholds[name])
        if values:
            found[name] = values
    return found


def any_harm(labels, scores, thresholds):
    """Harm of any kind: the truth is any positive label; the score is the highest probability."""
    truth = (labels == 1).any(1)
    flagged = (scores >= np.array([thresholds[name] for name in CATEGORIES])).any(1)
    values = figures(truth, scores.max(1), 0.5) or {"rows": len(truth)}
    values["flagged_benign"] = round(float(flagged[~truth].mean()), 4) if (~truth).any() else None
    values["flagged_harmful"] = round(float(flagged[truth].mean()), 4) if truth.any() else None
    values["accuracy"] = round(float((flagged == truth).mean()), 4)
    return values


def evaluated(rows, scores, thresholds):
    """Figures per source and language, and per category over all held-back rows of a language."""
    labels = np.array([row["labels"] for row in rows])
    found = {"any_harm": {}, "per_category": {}}
    for source, language in sorted({(row["source"], row["language"]) for row in rows}):
        part = np.array([row["source"] == source and row["language"] == language for row in rows])
        found["any_harm"][f"{source}.{language}"] = any_harm(labels[part], scores[part], thresholds)
    for language in ("en", "ms", "zh"):
        part = np.array([row["language"] == language for row in rows])
        found["per_category"][language] = by_category(labels[part], scores[part], thresholds)
    return found


def folds(openai, seed):
    """(rows to train on, rows to test) of each fold."""
    order = np.random.RandomState(seed).permutation(openai)
    for fold in range(FOLDS):
        tested = list(order[fold::FOLDS])
        yield [row for row in openai if row not in set(tested)], tested
