"""Fits where words end: logistic regression over what lies between two characters of a line.

usage: train.py GAPS.json    (written by featurize.ts); prints the weights of server/engine/vision/ocr/spacing.ts
"""
import json
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

KINDS = ["digit", "upper", "lower", "stop", "colon", "opening", "closing", "sign"]
NARROW = set("iIl1jtfr.,:;!'|()[]")


def kind(char):
    """The class of a character; kindOf in spacing.ts is the same."""
    if char.isdigit(): return 0
    if char.isalpha(): return 1 if char.isupper() else 2
    if char in ".,;!?": return 3
    if char == ":": return 4
    if char in "([{": return 5
    if char in ")]}%": return 6
    return 7


def features(gaps, chars, index):
    """What speaks for and against a blank after chars[index]; featuresOf in spacing.ts is the same."""
    gap, left, right = gaps[index], chars[index], chars[index + 1]
    blank, ink, pitch = np.log10(max(gap["blank"], 1e-5)) + 2, min(gap["ink"], 1.0), min(gap["pitch"], 4.0)
    row = [blank, blank * blank, ink, ink * ink, pitch, blank * ink, blank * pitch]
    for char in (left, right):
        row += [float(kind(char) == which) for which in range(len(KINDS))] + [float(char in NARROW)]
    row += [ink * (kind(right) == which) for which in range(len(KINDS))]
    before = chars[index - 1] if index > 0 else ""
    return row + [float(before.isdigit() and left == "." and right.isdigit())]


def pairs(read, truth):
    """Gaps whose two characters are both read right and stand next to each other in the truth."""
    solid, spaced, space = [], [], False
    for char in truth:
        if char == " ": space = True
        else:
            solid.append(char)
            spaced.append(space)
            space = False
    n, m = len(read), len(solid)
    cost = np.zeros((n + 1, m + 1), dtype=int)
    cost[:, 0], cost[0, :] = range(n + 1), range(m + 1)
    same = lambda a, b: a == b or a.lower() == b.lower() or {a, b} in ({"0", "O"}, {"1", "I"}, {"1", "l"}, {"I", "l"})
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost[i, j] = min(cost[i - 1, j] + 1, cost[i, j - 1] + 1, cost[i - 1, j - 1] + (not same(read[i - 1], solid[j - 1])))
    match, i, j = {}, n, m
    while i and j:
        if cost[i, j] == cost[i - 1, j - 1] + (not same(read[i - 1], solid[j - 1])):
            match[i - 1] = j - 1
            i, j = i - 1, j - 1
        elif cost[i, j] == cost[i - 1, j] + 1: i -= 1
        else: j -= 1
    return [(index, spaced[match[index + 1]]) for index in range(n - 1)
            if index in match and match.get(index + 1) == match[index] + 1]


def main(path):
    rows, labels, groups = [], [], []
    for number, line in enumerate(json.load(open(path))):
        read = [char[0] for char in line["chars"]]
        for index, label in pairs(read, line["text"]):
            rows.append(features(line["gaps"], read, index))
            labels.append(label)
            groups.append(number)
    x, y = np.array(rows), np.array(labels)
    make = lambda: make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=3000))
    guess = cross_val_predict(make(), x, y, groups=groups, cv=GroupKFold(4))
    found, right = guess.sum(), (guess & y).sum()
    print(f"{len(y)} gaps, {y.sum()} ends of words; recall {right / y.sum():.4f}, precision {right / found:.4f}", file=sys.stderr)
    scaler, fit = (step for _, step in make().fit(x, y).steps)
    weights = fit.coef_[0] / scaler.scale_  # The scaling goes into the weights.
    bias = fit.intercept_[0] - scaler.mean_ @ weights
    print(json.dumps({"bias": round(float(bias), 3), "weights": [round(float(weight), 3) for weight in weights]}))


if __name__ == "__main__":
    main(sys.argv[1])
