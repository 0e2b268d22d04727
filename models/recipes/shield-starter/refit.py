"""Refits the wide half of a pack and leaves its network: `python refit.py --data DATA --pack PACK --logits LOGITS`, then fold.py.

New templates are learnt in two minutes so, and what else the network says stays. LOGITS (build.py) get the new half's logits of the OpenAI rows.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

import wide
from build import SEED, crossed_wide, fit_wide, learned
from corpus import corpus, weight
from features import featurize


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--pack", required=True, type=Path)
    parser.add_argument("--logits", required=True, type=Path)
    options = parser.parse_args()
    rows = corpus(options.data, seed=SEED)
    bags = wide.matrix(featurize([row["text"] for row in rows]))
    pool = learned(rows)
    openai, read = ([i for i, row in enumerate(rows) if row["source"] == source] for source in ("openai", "openai-read"))
    labels = torch.tensor([row["labels"] for row in rows], dtype=torch.float32)
    data = (None, labels, torch.tensor([weight(row) for row in rows]), pool, read)
    crossed = crossed_wide(data, bags, [i for i in pool if rows[i]["language"] == "en"], openai)
    np.savez(options.logits, wide=crossed, deep=np.load(options.logits)["deep"])

    table, bias = fit_wide(data, bags, [*pool, *openai * 3, *read * 2])
    path = str(options.pack / "model.onnx")
    proto = onnx.load(path)
    for constant in proto.graph.initializer:
        if constant.name == "votes":
            constant.CopyFrom(numpy_helper.from_array(table.astype(np.float16), "votes"))
        if constant.name == "bias":
            constant.CopyFrom(numpy_helper.from_array(bias, "bias"))
    onnx.save(proto, path)


if __name__ == "__main__":
    main()
