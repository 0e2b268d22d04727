"""The networks as ONNX graphs that take raw pixels and give boxes and probabilities."""

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from data import SCENE
from labels import KINDS
from model import STRIDES, decode

OPSET = 18


def planes(pixels):
    """(n, H, W, 3) uint8 → (n, 3, H, W) of values 0 to 1."""
    return pixels.permute(0, 3, 1, 2).float() / 255


def halve(path):
    """Stores large weights as float16; the runtime casts them back once, when it folds constants."""
    model = onnx.load(str(path))
    casts = []
    for weight in list(model.graph.initializer):
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < 1024:
            continue
        model.graph.initializer.remove(weight)
        model.graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), f"{weight.name}.half"))
        casts.append(helper.make_node("Cast", [f"{weight.name}.half"], [weight.name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


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
    halve(path)


def export_scene(scene, temperature, path):
    pixels = torch.zeros(1, SCENE, SCENE, 3, dtype=torch.uint8)
    torch.onnx.export(
        ServedScene(scene.eval(), temperature), (pixels,), str(path), dynamo=False, opset_version=OPSET,
        input_names=["pixels"], output_names=["kinds", "attributes"],
        dynamic_axes={"pixels": {0: "n"}, "kinds": {0: "n"}, "attributes": {0: "n"}},
    )
    halve(path)
