"""config.json and manifest.json of the pack."""

import hashlib
import json

from data import SCENE
from labels import NAMES

VERSION = "0.1.0"
FILES = ("detector.onnx", "scene.onnx", "config.json")


def write_config(pack, detector, scene):
    """detector: {"thresholds": {label: score}, "calibration": {label: {slope, intercept}}}; scene: {"thresholds": …}."""
    config = {
        "version": 1,
        "detector": {
            "model": "detector.onnx",
            "input": {
                "name": "pixels", "type": "uint8", "layout": "NHWC", "colours": "RGB", "size": 640, "stride": 64,
                "resize": "letterbox", "pad": [114, 114, 114], "normalisation": "in the graph",
            },
            "outputs": {"boxes": "boxes", "scores": "scores", "box_format": "xyxy", "box_units": "input pixels"},
            "nms": {"iou": 0.5, "per_label": True, "max_boxes": 300},
            "labels": NAMES["objects"],
            **detector,
        },
        "scene": {
            "model": "scene.onnx",
            "input": {
                "name": "pixels", "type": "uint8", "layout": "NHWC", "colours": "RGB", "width": SCENE, "height": SCENE,
                "resize": "letterbox", "pad": [114, 114, 114], "normalisation": "in the graph",
            },
            "outputs": {"kinds": "kinds", "attributes": "attributes"},
            "kinds": NAMES["kinds"],
            "attributes": NAMES["attributes"],
            **scene,
        },
    }
    (pack / "config.json").write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_manifest(pack):
    files = []
    for name in FILES:
        content = (pack / name).read_bytes()
        files.append({"path": name, "size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()})
    manifest = {
        "id": "vision-starter",
        "version": VERSION,
        "name": "Lokal Vision Starter",
        "publisher": "Lokal",
        "roles": ["svc-vision-pro"],
        "format": "onnx",
        "engine": "images",
        "files": files,
        "licence": "Apache-2.0",
        "languages": ["en", "ms", "zh"],
        "status": "starter",
        # Measured: 340 after a screenshot, 560 after one of 16 megapixels, 800 with two of them read for words at once.
        "memory_mb": 820,
        "provenance": {
            "recipe": "models/recipes/vision-starter",
            "data": [
                {"name": "pages, screens, charts and scenes drawn for this pack", "licence": "Apache-2.0"},
                {"name": "Tatoeba sentences, tatoeba.org contributors (text inside the pages)", "licence": "CC-BY-2.0-FR"},
            ],
        },
        "description": "Finds thirty kinds of things on pages and screens (tables, charts, codes, signatures, checkboxes, windows …) and tells nineteen kinds of pictures apart. Trained on drawn pictures only: it knows no natural objects.",
        "descriptions": {
            "ms": "Mencari tiga puluh jenis benda pada halaman dan skrin (jadual, carta, kod, tandatangan, kotak semak, tetingkap …) dan membezakan sembilan belas jenis gambar. Dilatih dengan gambar lukisan sahaja: ia tidak mengenal objek semula jadi.",
            "zh": "在页面和屏幕上找出三十种事物（表格、图表、代码、签名、复选框、窗口等），并区分十九种图片。只用绘制的图片训练：不认识自然物体。",
        },
    }
    (pack / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
