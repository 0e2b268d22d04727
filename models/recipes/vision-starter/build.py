"""Rebuilds the vision starter: `python build.py --data DATA --work DIR --pack PACK` (about two hours on two cores).

photographs → drawn pages and screens → detector → scene classifier → thresholds and calibration → the two graphs,
config.json, manifest.json, figures.json. What lies in DIR already is not made again.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import torch

from evaluate import tune
from export import export_detector, export_scene
from labels import ATTRIBUTES, KINDS
from model import Detector, SceneNet
from pack import write_config, write_manifest

HERE = Path(__file__).parent
PHOTOS, RENDERS = 560, 8000
# From these on a kind or an attribute may be claimed in words.
CLAIM_KIND, CLAIM_ATTRIBUTE = 0.5, 0.75


def run(*command):
    subprocess.run([str(part) for part in command], check=True, cwd=HERE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--pack", required=True, type=Path)
    parser.add_argument("--detector-minutes", type=float, default=60)
    parser.add_argument("--scene-minutes", type=float, default=15)
    options = parser.parse_args()
    data, work, pack = (path.resolve() for path in (options.data, options.work, options.pack))
    photos, renders, seen, kinds = work / "photos", work / "renders", work / "detector.pt", work / "scene.pt"
    if not (photos / "facts.json").exists():
        run(sys.executable, "photos.py", photos, PHOTOS)
    if len(list(renders.glob("*.json"))) < RENDERS:
        run("node", "render/render.ts", "--out", renders, "--photos", photos, "--data", data, "--count", RENDERS)
    if not seen.exists():
        run(sys.executable, "train_detector.py", "--renders", renders, "--photos", photos, "--out", seen, "--minutes", options.detector_minutes)
    if not kinds.exists():
        run(sys.executable, "train_scene.py", "--renders", renders, "--photos", photos, "--detector", seen, "--out", kinds, "--minutes", options.scene_minutes)

    torch.set_num_threads(1)
    detector, scene, made = Detector(), SceneNet(), torch.load(kinds)
    detector.load_state_dict(torch.load(seen))
    scene.load_state_dict(made["state"])
    tuned, precision = tune(detector, renders, photos)
    pack.mkdir(parents=True, exist_ok=True)
    export_detector(detector, pack / "detector.onnx")
    export_scene(scene, made["temperature"], pack / "scene.onnx")
    claims = {**dict.fromkeys(KINDS, CLAIM_KIND), **dict.fromkeys(ATTRIBUTES, CLAIM_ATTRIBUTE)}
    write_config(pack, tuned, {"thresholds": claims})
    write_manifest(pack)
    (pack / "figures.json").write_text(json.dumps({"same_generator": {"map50": precision, "scene_accuracy": made["accuracy"]}}, indent=1) + "\n")
    print(json.dumps(precision, indent=1))


if __name__ == "__main__":
    main()
