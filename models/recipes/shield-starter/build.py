"""Builds the starter pack: `python build.py --data DATA --pack PACK` (about twenty minutes on two cores).

corpus → features → base model → cross-validated second stage over the OpenAI rows → final model → calibration,
thresholds, figures → model.onnx, manifest.json, figures.json.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from baseline import baseline_scores
from calibration import apply, choose_thresholds, hard_weights, platt, source_weights
from corpus import corpus, weight
from export import export
from features import featurise
from metrics import any_harm, by_category
from model import CATEGORIES
from pack import write_manifest
from training import predict, train

SEED = 7
FOLDS = 5
BASE_EPOCHS = 3
SECOND_EPOCHS = 2
SECOND_MIX = 9_000


def second_stage(data, start, openai, seed):
    """Goes on from `start` over a random mix and the OpenAI rows given, three times each."""
    blocks, labels, weights, pool, read = data
    mix = list(np.random.RandomState(seed).choice(pool, SECOND_MIX, replace=False)) + (list(openai) + read) * 3
    return train(blocks, labels, weights, mix, SECOND_EPOCHS, seed, start=start, rate=0.5, log=lambda line: None)


def cross_validated(data, start, openai):
    """Logits of each OpenAI row from a model that never saw it."""
    order = np.random.RandomState(SEED).permutation(openai)
    logits = np.zeros((len(openai), len(CATEGORIES)), np.float32)
    place = {row: at for at, row in enumerate(openai)}
    for fold in range(FOLDS):
        tested = order[fold::FOLDS]
        model = second_stage(data, start, [row for row in openai if row not in set(tested)], SEED + fold)
        for row, values in zip(tested, predict(model, data[0], list(tested))):
            logits[place[row]] = values
        print(f"fold {fold + 1}/{FOLDS} done", flush=True)
    return logits


def evaluated(rows, scores, thresholds):
    """Figures per source and language, and per category over all held-back rows of a language."""
    labels = np.array([row["labels"] for row in rows])
    found = {"any_harm": {}, "per_category": {}}
    for source, language in sorted({(row["source"], row["language"]) for row in rows}):
        part = np.array([row["source"] == source and row["language"] == language for row in rows])
        found["any_harm"][f"{source}.{language}"] = any_harm(labels[part], scores[part], thresholds)
    for language in ("en", "ms", "zh"):
        part = np.array([row["language"] == language for row in rows])
        found["per_category"][language] = by_category(labels[part], scores[part], thresholds)
    return found


def floor(rows, pool, held, openai):
    """The baseline's scores on the held rows; the OpenAI rows in two halves, each scored by the other's model."""
    texts, labels = [row["text"] for row in rows], np.array([row["labels"] for row in rows])
    halves = [openai[::2], openai[1::2]]
    scores = {}
    for trained, tested in (halves, halves[::-1]):
        chosen, asked = list(pool) + list(trained) * 3, list(held) + list(tested)
        found = baseline_scores([texts[i] for i in chosen], labels[chosen], [texts[i] for i in asked], SEED)
        scores.update(zip(asked, found))
    return np.stack([scores[i] for i in [*held, *openai]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--pack", required=True, type=Path)
    parser.add_argument("--base", type=Path, help="keep the base model here and reuse it")
    parser.add_argument("--no-floor", action="store_true")
    options = parser.parse_args()
    # One thread: the same sums in the same order, and no fight over shared cores.
    torch.set_num_threads(1)

    rows = corpus(options.data, seed=SEED)
    blocks = featurise([row["text"] for row in rows])
    labels = torch.tensor([row["labels"] for row in rows], dtype=torch.float32)
    openai = [i for i, row in enumerate(rows) if row["source"] == "openai"]
    held = [i for i, row in enumerate(rows) if row["held"]]
    pool = [i for i, row in enumerate(rows) if not row["held"] and row["source"] != "openai"]
    read = [i for i, row in enumerate(rows) if row["source"] == "openai-read"]
    weights = torch.tensor([weight(row) for row in rows])
    data = (blocks, labels, weights, pool, read)
    print(f"{len(rows)} rows, {len(pool)} to train on, {len(held)} held back", flush=True)

    if options.base and options.base.exists():
        start = torch.load(options.base)
    else:
        start = train(blocks, labels, weights, pool, BASE_EPOCHS, SEED).state_dict()
        if options.base:
            torch.save(start, options.base)
    crossed = cross_validated(data, start, openai)
    final = second_stage(data, start, openai, SEED)

    judged = [rows[i] for i in [*held, *openai]]
    logits = np.concatenate([predict(final, blocks, held), crossed])
    truth = np.array([row["labels"] for row in judged])
    shares = source_weights(judged, 1_500)
    calibration = platt(truth, logits, shares)
    scores = apply(calibration, logits)
    thresholds = choose_thresholds(truth, scores, hard_weights(judged))
    figures = {"starter": evaluated(judged, scores, thresholds)}
    if not options.no_floor:
        half = dict.fromkeys(CATEGORIES, 0.5)
        figures["floor"] = evaluated(judged, floor(rows, pool, held, openai), half)

    options.pack.mkdir(parents=True, exist_ok=True)
    export(final, options.pack / "model.onnx")
    (options.pack / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    write_manifest(options.pack, calibration, thresholds)
    print(json.dumps(figures["starter"]["any_harm"], indent=1))


if __name__ == "__main__":
    main()
