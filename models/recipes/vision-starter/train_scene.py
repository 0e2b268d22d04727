"""Trains the scene classifier for a given time; fits its temperature on drawn pictures it never saw.

It starts from the backbone of the detector: first the head alone learns, then all of it, slower.
`python train_scene.py --renders DIR --photos DIR --detector FILE --out FILE --minutes N`
"""

import argparse
import copy
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from ahead import stored
from data import Drawn, Photos, SceneBatches, scene_pixels
from labels import KINDS
from model import SceneNet

SEED = 11
RATE = 2e-3
# The backbone learns this much slower, and not before this share of the time.
SLOWER, THAWED = 0.2, 0.4
KEEP = 0.99


def scene_loss(logits, kinds, attributes):
    known = (attributes >= 0).float()
    bits = F.binary_cross_entropy_with_logits(logits[:, len(KINDS) :], attributes.clamp(min=0), reduction="none")
    return F.cross_entropy(logits[:, : len(KINDS)], kinds, label_smoothing=0.03) + (bits * known).sum() / known.sum().clamp(min=1)


def held_out(model, renders, photos):
    """(logits, kinds) of held-back drawn pictures, degraded as in training."""
    drawn, ground, rng = Drawn(renders), Photos(photos), np.random.default_rng(SEED)
    pixels, kinds = [], []
    for name in drawn.held():
        image, _, kind = drawn.picture(name)
        pixels.append(scene_pixels(rng, image, kind, ground, True))
        kinds.append(KINDS.index(kind))
    with torch.no_grad():
        logits = torch.cat([model(torch.from_numpy(np.stack(pixels[at : at + 64])).float() / 255) for at in range(0, len(pixels), 64)])
    return logits[:, : len(KINDS)], torch.tensor(kinds)


def temperature(logits, kinds):
    """The divisor of the logits with the least cross entropy."""
    choices = np.linspace(0.5, 3, 51)
    return float(min(choices, key=lambda t: F.cross_entropy(logits / t, kinds).item()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--renders", required=True, type=Path)
    parser.add_argument("--photos", required=True, type=Path)
    parser.add_argument("--detector", required=True, type=Path)
    parser.add_argument("--start", type=Path, help="go on from this classifier")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--minutes", required=True, type=float)
    parser.add_argument("--ahead", type=Path, help="batches made ahead by ahead.py")
    options = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    batches = stored(options.ahead, SEED) if options.ahead else iter(torch.utils.data.DataLoader(SceneBatches(options.renders, options.photos, 48, SEED), batch_size=None, num_workers=1, prefetch_factor=3))
    model = SceneNet()
    known = {key: value for key, value in torch.load(options.detector).items() if key.startswith(("stem", "stage"))}
    model.load_state_dict(known, strict=False)
    if options.start:
        model.load_state_dict(torch.load(options.start)["state"])
    model = model.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(model).eval()
    eyes = [value for key, value in model.named_parameters() if key in known]
    head = [value for key, value in model.named_parameters() if key not in known]
    optimizer = torch.optim.AdamW([{"params": head, "scale": 1.0}, {"params": eyes, "scale": SLOWER}], lr=RATE, weight_decay=0.02)
    start, step, running = time.monotonic(), 0, 0.0
    while (share := (time.monotonic() - start) / (60 * options.minutes)) < 1:
        for value in eyes:
            value.requires_grad_(bool(options.start) or share >= THAWED)
        for group in optimizer.param_groups:
            group["lr"] = RATE * group["scale"] * min(1, (step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * share)))
        pixels, kinds, attributes = next(batches)
        with torch.autocast("cpu", torch.bfloat16):
            logits = model((pixels.float() / 255).to(memory_format=torch.channels_last))
        loss = scene_loss(logits.float(), kinds, attributes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        keep = min(KEEP, (step + 1) / (step + 10))
        with torch.no_grad():
            for slow, fast in zip(mean.state_dict().values(), model.state_dict().values()):
                if slow.dtype.is_floating_point:
                    slow.lerp_(fast, 1 - keep)
        running = 0.97 * running + 0.03 * loss.item()
        if step % 25 == 0:
            print(f"{step} {step * 48 / (time.monotonic() - start):.0f}/s loss {running / (1 - 0.97**step):.3f}", flush=True)
    logits, kinds = held_out(mean, options.renders, options.photos)
    found = temperature(logits, kinds)
    right = round((logits.argmax(1) == kinds).float().mean().item(), 3)
    print(f"held back, same generator: accuracy {right}, temperature {found:.2f}")
    torch.save({"state": mean.state_dict(), "temperature": found, "accuracy": right}, options.out)


if __name__ == "__main__":
    main()
