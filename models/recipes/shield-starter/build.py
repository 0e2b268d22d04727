"""Builds the starter pack: `python build.py --data DATA --pack PACK` (about twenty minutes on two cores).

corpus → features → base model → cross-validated second stage over the OpenAI rows → final model → model.onnx → votes for
Latin text, calibration, thresholds, figures (fold.py) → manifest.json, figures.json.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

import wide
from baseline import floor_scores
from card import write_card
from corpus import CORRECTING, corpus, weight
from export import export
from features import featurize
from fold import fold
from metrics import FOLDS, evaluated, folds
from model import CATEGORIES
from pack import write_manifest
from training import predict, train

SEED = 7
BASE_EPOCHS = 2
SECOND_EPOCHS = 1
SECOND_MIX = 6_000
# Of the deep logits beside the wide ones.
DEEP_SHARE = 1.0
# Categories the OpenAI rows have labels for.
OPENAI_COLUMNS = list(range(6))


def learned(rows):
    """Places of the rows that both halves learn; OpenAI's are added by fold."""
    return [i for i, row in enumerate(rows) if not row["held"] and row["source"] not in ("openai", "written", *CORRECTING)]


def second_stage(data, start, openai, seed):
    """Goes on from `start` over a random mix and the OpenAI rows given, three times each."""
    blocks, labels, weights, pool, read = data
    mix = list(np.random.RandomState(seed).choice(pool, SECOND_MIX, replace=False)) + (list(openai) + read) * 3
    return train(blocks, labels, weights, mix, SECOND_EPOCHS, seed, start=start, rate=0.5, log=lambda line: None)


def fit_wide(data, bags, chosen, columns=None):
    _, labels, weights, _, _ = data
    return wide.fit(bags[chosen], labels.numpy()[chosen], weights.numpy()[chosen], SEED, columns)


def crossed_wide(data, bags, english, openai):
    """Wide logits of each OpenAI row from fits that never saw it.

    A fold refits the columns the OpenAI rows speak for, on English rows; the others come from a fit without any OpenAI row.
    """
    place = {row: at for at, row in enumerate(openai)}
    found = wide.logits(bags[openai], fit_wide(data, bags, data[3]))
    for rest, tested in folds(openai, SEED):
        fitted = fit_wide(data, bags, [*english, *(rest + data[4]) * 3], OPENAI_COLUMNS)
        places = np.ix_([place[row] for row in tested], OPENAI_COLUMNS)
        found[places] = wide.logits(bags[tested], fitted)[:, OPENAI_COLUMNS]
    return found


def crossed_deep(data, start, openai):
    """Deep logits of each OpenAI row from second stages that never saw it."""
    place = {row: at for at, row in enumerate(openai)}
    found = np.zeros((len(openai), len(CATEGORIES)), np.float32)
    for fold, (rest, tested) in enumerate(folds(openai, SEED)):
        model = second_stage(data, start, rest, SEED + fold)
        found[[place[row] for row in tested]] = predict(model, data[0], tested)
        print(f"fold {fold + 1}/{FOLDS} done", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--pack", required=True, type=Path)
    parser.add_argument("--base", type=Path, help="keep the base model here and reuse it")
    parser.add_argument("--logits", type=Path, help="write the cross-validated logits of the OpenAI rows here, for fold.py")
    parser.add_argument("--no-floor", action="store_true")
    options = parser.parse_args()
    # One thread: the same sums in the same order, and no fight over shared cores.
    torch.set_num_threads(1)

    rows = corpus(options.data, seed=SEED)
    blocks = featurize([row["text"] for row in rows])
    labels = torch.tensor([row["labels"] for row in rows], dtype=torch.float32)
    openai = [i for i, row in enumerate(rows) if row["source"] == "openai"]
    held = [i for i, row in enumerate(rows) if row["held"] and row["source"] not in CORRECTING]
    pool = learned(rows)
    read = [i for i, row in enumerate(rows) if row["source"] == "openai-read"]
    weights = torch.tensor([weight(row) for row in rows])
    data = (blocks, labels, weights, pool, read)
    print(f"{len(rows)} rows, {len(pool)} to train on, {len(held)} held back", flush=True)

    bags = wide.matrix(blocks)
    english = [i for i in pool if rows[i]["language"] == "en"]
    wide_openai = crossed_wide(data, bags, english, openai)
    fitted = fit_wide(data, bags, [*pool, *openai * 3, *read * 2])
    print("wide half done", flush=True)
    if options.base and options.base.exists():
        start = torch.load(options.base)
    else:
        start = train(blocks, labels, weights, pool, BASE_EPOCHS, SEED).state_dict()
        if options.base:
            torch.save(start, options.base)
    deep_openai = crossed_deep(data, start, openai)
    final = second_stage(data, start, openai, SEED)

    openai_logits = wide_openai + DEEP_SHARE * deep_openai
    if options.logits:
        np.savez(options.logits, wide=wide_openai, deep=DEEP_SHARE * deep_openai)
    floor = {}
    if not options.no_floor:
        half = dict.fromkeys(CATEGORIES, 0.5)
        floor = {"floor": evaluated([rows[i] for i in [*held, *openai]], floor_scores(rows, pool, held, openai, SEED), half)}

    options.pack.mkdir(parents=True, exist_ok=True)
    export(final, fitted, DEEP_SHARE, options.pack / "model.onnx")
    (options.pack / "figures.json").write_text(json.dumps({"starter": {}, **floor}) + "\n")
    write_manifest(options.pack, {}, {})
    figures = fold(options.pack, rows, blocks, openai_logits)
    write_card(options.pack, figures)
    print(json.dumps(figures["starter"]["any_harm"], indent=1))


if __name__ == "__main__":
    main()
