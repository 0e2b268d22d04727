"""The two networks: a one-stage anchor-free detector and a scene classifier that starts from its eyes.

Detector: residual stages of plain 3×3 convolutions, a top-down feature pyramid at strides 8, 16, 32 and 64, one head shared
by the levels. Each cell gives a score a label and the distances left, top, right, bottom to its box, in strides (FCOS).
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from labels import ATTRIBUTES, KINDS, OBJECTS

STRIDES = (8, 16, 32, 64)
WIDTH = 48
# Of the backbone at those strides.
CHANNELS = (64, 96, 160, 192)


def conv(inputs, outputs, size=3, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(conv(channels, channels // 2, 1), conv(channels // 2, channels))

    def forward(self, x):
        return x + self.body(x)


def stage(inputs, outputs, blocks):
    return nn.Sequential(conv(inputs, outputs, 3, 2), *[Residual(outputs) for _ in range(blocks)])


class Backbone(nn.Module):
    """What both networks see with: features at strides 8, 16, 32 and 64."""

    def __init__(self):
        super().__init__()
        self.unshuffle = nn.PixelUnshuffle(2)
        self.stem = nn.Sequential(conv(12, 24, 3, 2), Residual(24))
        self.stage8 = stage(24, CHANNELS[0], 2)
        self.stage16 = stage(CHANNELS[0], CHANNELS[1], 3)
        self.stage32 = stage(CHANNELS[1], CHANNELS[2], 3)
        self.stage64 = stage(CHANNELS[2], CHANNELS[3], 2)

    def features(self, x):
        x = self.stem(self.unshuffle((x - 0.5) * 4))
        found = []
        for part in (self.stage8, self.stage16, self.stage32, self.stage64):
            x = part(x)
            found.append(x)
        return found


class Detector(Backbone):
    """(n, 3, H, W) of values 0 to 1, H and W multiples of 64 → a level each: label logits (n, C, h, w), distances (n, 4, h, w) in strides."""

    def __init__(self):
        super().__init__()
        self.lateral = nn.ModuleList([nn.Conv2d(c, WIDTH, 1) for c in CHANNELS])
        self.smooth = nn.ModuleList([conv(WIDTH, WIDTH) for _ in STRIDES])
        self.label_tower = conv(WIDTH, WIDTH)
        self.box_tower = conv(WIDTH, WIDTH)
        self.label_head = nn.Conv2d(WIDTH, len(OBJECTS), 1)
        self.box_head = nn.Conv2d(WIDTH, 4, 1)
        self.scale = nn.Parameter(torch.ones(len(STRIDES)))
        nn.init.normal_(self.label_head.weight, std=0.01)
        nn.init.constant_(self.label_head.bias, -math.log(99.0))
        nn.init.normal_(self.box_head.weight, std=0.01)
        nn.init.constant_(self.box_head.bias, 1.0)

    def forward(self, x):
        found = self.features(x)
        above, levels = None, []
        for at in reversed(range(len(STRIDES))):
            level = self.lateral[at](found[at])
            if above is not None:
                level = level + F.interpolate(above, scale_factor=2.0, mode="nearest")
            above = self.smooth[at](level)
            levels.insert(0, above)
        logits = [self.label_head(self.label_tower(level)) for level in levels]
        boxes = [F.softplus(self.box_head(self.box_tower(level)) * self.scale[at]) for at, level in enumerate(levels)]
        return logits, boxes


def decode(distances, stride):
    """(n, 4, h, w) distances in strides → (n, h·w, 4) boxes x0, y0, x1, y1 in input pixels."""
    h, w = distances.shape[2:]
    y = (torch.arange(h, device=distances.device, dtype=distances.dtype) + 0.5) * stride
    x = (torch.arange(w, device=distances.device, dtype=distances.dtype) + 0.5) * stride
    left, top, right, bottom = (distances * stride).unbind(1)
    boxes = torch.stack([x[None, None, :] - left, y[None, :, None] - top, x[None, None, :] + right, y[None, :, None] + bottom], -1)
    return boxes.flatten(1, 2)


class SceneNet(Backbone):
    """(n, 3, H, W) of values 0 to 1 → logits (n, kinds + attributes), from features pooled over the picture."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2 * sum(CHANNELS[1:]))
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(2 * sum(CHANNELS[1:]), len(KINDS) + len(ATTRIBUTES))

    def forward(self, x):
        pooled = [part for level in self.features(x)[1:] for part in (level.mean((2, 3)), level.amax((2, 3)))]
        return self.head(self.drop(self.norm(torch.cat(pooled, 1))))
