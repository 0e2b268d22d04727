"""Trains the detector for a given time: the rate annealed to the deadline.

`python train_detector.py --renders DIR --photos DIR --out FILE --minutes N [--threads 1] [--start FILE] [--ahead DIR]`
"""

import argparse
import copy
import math
import time
from pathlib import Path

import torch

from ahead import stored
from data import DetectorBatches
from loss import detection_loss
from model import Detector

SEED = 7
RATE = 1.2e-3
# Edge of the square that the canvases resemble in area.
EDGE = 512
KEEP = 0.998


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--renders", required=True, type=Path)
    parser.add_argument("--photos", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--minutes", required=True, type=float)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, help="go on from these weights")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--ahead", type=Path, help="batches made ahead by ahead.py")
    options = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(options.threads)
    batches = stored(options.ahead, SEED) if options.ahead else iter(torch.utils.data.DataLoader(
        DetectorBatches(options.renders, options.photos, options.batch, EDGE, SEED), batch_size=None, num_workers=1, prefetch_factor=3,
    ))
    model = Detector()
    if options.start:
        model.load_state_dict(torch.load(options.start))
    model = model.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(model).eval()
    decayed = [p for p in model.parameters() if p.ndim > 1]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.02}, {"params": plain, "weight_decay": 0.0}], lr=RATE)
    start, saved, step = time.monotonic(), time.monotonic(), 0
    running = [0.0, 0.0]
    while (share := (time.monotonic() - start) / (60 * options.minutes)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * share)))
        pixels, truth = next(batches)
        with torch.autocast("cpu", torch.bfloat16):
            logits, distances = model((pixels.float() / 255).to(memory_format=torch.channels_last))
        labels, boxes = detection_loss(logits, distances, truth)
        optimizer.zero_grad()
        (labels + 1.5 * boxes).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        step += 1
        keep = min(KEEP, (step + 1) / (step + 10))
        with torch.no_grad():
            for slow, fast in zip(mean.state_dict().values(), model.state_dict().values()):
                if slow.dtype.is_floating_point:
                    slow.lerp_(fast, 1 - keep)
        running = [0.97 * running[0] + 0.03 * labels.item(), 0.97 * running[1] + 0.03 * boxes.item()]
        if step % 100 == 0:
            bias = 1 - 0.97**step
            print(f"{step} {share:.3f} {step * options.batch / (time.monotonic() - start):.1f}/s labels {running[0] / bias:.3f} boxes {running[1] / bias:.3f}", flush=True)
        if time.monotonic() - saved > 120:
            torch.save(mean.state_dict(), options.out)
            saved = time.monotonic()
    torch.save(mean.state_dict(), options.out)


if __name__ == "__main__":
    main()
