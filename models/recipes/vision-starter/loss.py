"""Which cells answer for which box, and what a wrong answer costs (quality focal loss, generalized IoU)."""

import torch
from torch.nn import functional as F

from model import STRIDES, decode

# √area of the boxes a level answers for, in pixels; neighbours overlap.
SIZES = ((0, 48), (32, 112), (80, 240), (170, 1e9))
RADIUS = 1.5


def assign(boxes, shapes):
    """boxes (k, 5) and [(h, w)] a level → index of the box each cell answers for, −1 for none; levels one after another."""
    found = []
    sides = (boxes[:, 3] - boxes[:, 1]).clamp(min=1), (boxes[:, 4] - boxes[:, 2]).clamp(min=1)
    area = sides[0] * sides[1]
    size = area.sqrt()
    cx, cy = (boxes[:, 1] + boxes[:, 3]) / 2, (boxes[:, 2] + boxes[:, 4]) / 2
    for stride, (low, high), (h, w) in zip(STRIDES, SIZES, shapes):
        chosen = torch.full((h, w), -1, dtype=torch.long)
        fits = ((size >= low) & (size < high)).nonzero()[:, 0]
        # The largest first: smaller boxes take cells from them.
        for at in fits[area[fits].argsort(descending=True)].tolist():
            x, y = cx[at].item() / stride - 0.5, cy[at].item() / stride - 0.5
            rx = min(RADIUS, sides[0][at].item() / stride / 2)
            ry = min(RADIUS, sides[1][at].item() / stride / 2)
            x0, x1 = max(0, int(-(-(x - rx) // 1))), min(w - 1, int((x + rx) // 1))
            y0, y1 = max(0, int(-(-(y - ry) // 1))), min(h - 1, int((y + ry) // 1))
            if x1 < x0:
                x0 = x1 = min(w - 1, max(0, round(x)))
            if y1 < y0:
                y0 = y1 = min(h - 1, max(0, round(y)))
            chosen[y0 : y1 + 1, x0 : x1 + 1] = at
        found.append(chosen.flatten())
    return torch.cat(found)


def overlap(a, b):
    """(IoU, generalized IoU) of boxes in pairs."""
    inner = (torch.minimum(a[:, 2:], b[:, 2:]) - torch.maximum(a[:, :2], b[:, :2])).clamp(min=0).prod(1)
    outer = (torch.maximum(a[:, 2:], b[:, 2:]) - torch.minimum(a[:, :2], b[:, :2])).clamp(min=0).prod(1)
    union = (a[:, 2:] - a[:, :2]).clamp(min=0).prod(1) + (b[:, 2:] - b[:, :2]).clamp(min=0).prod(1) - inner
    iou = inner / union.clamp(min=1e-6)
    return iou, iou - (outer - union) / outer.clamp(min=1e-6)


def detection_loss(logits, distances, truth):
    """(label loss, box loss), each a mean over the cells that answer for a box."""
    shapes = [level.shape[2:] for level in logits]
    scores = torch.cat([level.flatten(2).transpose(1, 2) for level in logits], 1).float()
    boxes = torch.cat([decode(level.float(), stride) for level, stride in zip(distances, STRIDES)], 1)
    owner = torch.stack([assign(each, shapes) for each in truth])
    image, cell = (owner >= 0).nonzero(as_tuple=True)
    target = torch.zeros_like(scores)
    if len(image) == 0:
        return (F.binary_cross_entropy_with_logits(scores, target, reduction="none") * scores.sigmoid().detach() ** 2).sum(), boxes.sum() * 0
    matched = torch.stack([truth[i][o] for i, o in zip(image.tolist(), owner[image, cell].tolist())])
    iou, giou = overlap(boxes[image, cell], matched[:, 1:])
    # A floor keeps the labels learning while the boxes are still bad.
    quality = iou.detach().clamp(min=0.25)
    target[image, cell, matched[:, 0].long()] = quality
    weight = (target - scores.sigmoid().detach()).abs() ** 2
    labels = (F.binary_cross_entropy_with_logits(scores, target, reduction="none") * weight).sum() / quality.sum()
    return labels, ((1 - giou) * quality).sum() / quality.sum()
