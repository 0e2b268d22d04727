"""Batches made ahead and kept on disk, so that training on few cores has them to itself.

`python ahead.py detector|scene --renders DIR --photos DIR --out DIR --count N [--batch N] [--edge N] [--seed N]`
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from data import DetectorBatches, SceneBatches


def stored(folder, seed):
    """The batches of a folder, for ever, each time in another order."""
    rng = np.random.default_rng(seed)
    while True:
        files = sorted(Path(folder).glob("*.pt"))  # more may have come meanwhile
        for at in rng.permutation(len(files)):
            yield torch.load(files[at])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("detector", "scene"))
    parser.add_argument("--renders", required=True, type=Path)
    parser.add_argument("--photos", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--count", required=True, type=int)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--edge", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    if options.what == "detector":
        made = DetectorBatches(options.renders, options.photos, options.batch, options.edge, options.seed)
    else:
        made = SceneBatches(options.renders, options.photos, options.batch, options.seed)
    for at, batch in zip(range(options.count), made):
        torch.save(batch, options.out / f"{options.seed:03}-{at:05}.part")
        (options.out / f"{options.seed:03}-{at:05}.part").rename(options.out / f"{options.seed:03}-{at:05}.pt")


if __name__ == "__main__":
    main()
