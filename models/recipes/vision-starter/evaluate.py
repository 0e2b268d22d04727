"""Tuning after training, on drawn pictures that were held back: a threshold and a calibration a label."""

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from data import Drawn, Photos
from degrade import degrade
from export import ServedDetector
from labels import OBJECTS

SEED = 23
SIZE = 640
# Scores below are never looked at; no label is shown below this chance of being right.
LOWEST, LEAST_RIGHT = 0.05, 0.15


def overlaps(box, others):
    """IoU of one box with many."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    inner = np.clip(high - low, 0, None).prod(1)
    area = lambda b: np.clip(b[..., 2:] - b[..., :2], 0, None).prod(-1)
    return inner / np.maximum(area(box) + area(others) - inner, 1e-6)


def suppressed(boxes, scores, iou=0.5):
    order, kept = scores.argsort()[::-1][:300], []
    while len(order):
        kept.append(order[0])
        order = order[1:][overlaps(boxes[order[0]], boxes[order[1:]]) <= iou]
    return kept


def judged(boxes, scores, truth):
    """[(label, score, right)] of one picture; each true box counts once, the best guess first."""
    found = []
    for at, label in enumerate(OBJECTS):
        near = np.flatnonzero(scores[:, at] >= LOWEST)
        near = near[suppressed(boxes[near], scores[near, at])] if len(near) else near
        wanted = np.float32([box[1:] for box in truth if box[0] == label]).reshape(-1, 4)
        free = np.ones(len(wanted), bool)
        for cell in near:
            iou = np.where(free, overlaps(boxes[cell], wanted), 0) if len(wanted) else np.zeros(1)
            right = bool(iou.max() >= 0.5)
            if right:
                free[iou.argmax()] = False
            found.append((at, float(scores[cell, at]), right))
    return found


def held_pictures(renders, photos):
    """(pixels (1, H, W, 3), boxes) of held-back pictures, degraded as in training, seen whole."""
    drawn, ground, rng = Drawn(renders), Photos(photos), np.random.default_rng(SEED)
    for name in drawn.held():
        image, boxes, kind = drawn.picture(name)
        h, w = image.shape[:2]
        size = tuple(max(64, round(side * SIZE / max(h, w) / 64) * 64) for side in (h, w))
        pixels, moved = degrade(rng, image, boxes, kind, size, 0.0, ground.ground(rng))
        yield torch.from_numpy(pixels[None, ..., ::-1].copy()), moved


def tune(detector, renders, photos):
    """{"thresholds", "calibration"} for config.json, and the AP of each label on the same pictures."""
    served, found, counts = ServedDetector(detector.eval()), [], dict.fromkeys(OBJECTS, 0)
    for pixels, truth in held_pictures(renders, photos):
        with torch.no_grad():
            boxes, scores = served(pixels)
        found += judged(boxes[0].numpy(), scores[0].numpy(), truth)
        for box in truth:
            counts[box[0]] += 1
    curve = lambda rows: fit(np.array([row[1] for row in rows]), np.array([row[2] for row in rows]))
    common = curve(found)
    thresholds, calibration, precision = {}, {}, {}
    for at, label in enumerate(OBJECTS):
        rows = [row for row in found if row[0] == at]
        enough = sum(row[2] for row in rows) >= 8 and sum(not row[2] for row in rows) >= 8
        slope, intercept = curve(rows) if enough else common
        calibration[label] = {"slope": round(slope, 4), "intercept": round(intercept, 4)}
        logit = (np.log(LEAST_RIGHT / (1 - LEAST_RIGHT)) - intercept) / slope
        thresholds[label] = round(float(np.clip(1 / (1 + np.exp(-logit)), LOWEST, 0.6)), 3)
        precision[label] = average_precision(rows, counts[label])
    return {"thresholds": thresholds, "calibration": calibration}, precision


def fit(scores, right):
    """Platt scaling: (slope, intercept) over the logit of the score; a rising one at all events."""
    logits = np.log(scores / (1 - scores).clip(1e-6))
    model = LogisticRegression(C=10).fit(logits[:, None], right)
    return max(0.3, float(model.coef_[0, 0])), float(model.intercept_[0])


def average_precision(rows, wanted):
    """AP at half overlap; None where the label never occurs."""
    if wanted == 0:
        return None
    right = np.array([row[2] for row in sorted(rows, key=lambda row: -row[1])], float)
    if not len(right):
        return 0.0
    precision = right.cumsum() / (np.arange(len(right)) + 1)
    hull = np.maximum.accumulate(precision[::-1])[::-1]
    return round(float((hull * right).sum() / wanted), 3)
