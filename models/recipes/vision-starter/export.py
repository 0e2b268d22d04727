"""The networks as ONNX graphs that take raw pixels and give boxes and probabilities."""

import torch
from torch import nn

from labels import KINDS
from model import STRIDES, decode

OPSET = 18


def planes(pixels):
    """(n, H, W, 3) uint8 → (n, 3, H, W) of values 0 to 1."""
    return pixels.permute(0, 3, 1, 2).float() / 255


class ServedDetector(nn.Module):
    def __init__(self, detector):
        super().__init__()
        self.detector = detector

    def forward(self, pixels):
        logits, distances = self.detector(planes(pixels))
        boxes = torch.cat([decode(level, stride) for level, stride in zip(distances, STRIDES)], 1)
        scores = torch.cat([level.flatten(2).transpose(1, 2) for level in logits], 1).sigmoid()
        return boxes, scores


class ServedScene(nn.Module):
    def __init__(self, scene, temperature):
        super().__init__()
        self.scene = scene
        self.temperature = temperature

    def forward(self, pixels):
        logits = self.scene(planes(pixels)) / self.temperature
        return logits[:, : len(KINDS)].softmax(1), logits[:, len(KINDS) :].sigmoid()


def export_detector(detector, path):
    pixels = torch.zeros(1, 640, 640, 3, dtype=torch.uint8)
    torch.onnx.export(
        ServedDetector(detector.eval()), (pixels,), str(path), dynamo=False, opset_version=OPSET,
        input_names=["pixels"], output_names=["boxes", "scores"],
        dynamic_axes={"pixels": {0: "n", 1: "height", 2: "width"}, "boxes": {0: "n", 1: "cells"}, "scores": {0: "n", 1: "cells"}},
    )


def export_scene(scene, temperature, path):
    pixels = torch.zeros(1, 224, 224, 3, dtype=torch.uint8)
    torch.onnx.export(
        ServedScene(scene.eval(), temperature), (pixels,), str(path), dynamo=False, opset_version=OPSET,
        input_names=["pixels"], output_names=["kinds", "attributes"],
        dynamic_axes={"pixels": {0: "n"}, "kinds": {0: "n"}, "attributes": {0: "n"}},
    )
