"""Training data on disk: packed tokens in shards that several programs write while training reads, and rows made of them.

A document is a common part and branches: several questions about one passage, each of which sees the passage and itself alone.
So a passage is read once for all its questions, and each is learnt as if it were the only one."""

import random
import time
from pathlib import Path

import numpy as np
import torch

LENGTHS = (256, 320, 384, 512, 1024)


class Shard:
    """Documents as flat arrays: token, branch and whether it is learnt; `ends` of the documents."""

    def __init__(self):
        self.ids, self.branches, self.learnt, self.ends = [], [], [], []

    def add(self, parts):
        """`parts`: (tokens, which are learnt) of the common part and of each branch."""
        ids = [token for part, _ in parts for token in part]
        if not 8 < len(ids) <= LENGTHS[-1]:
            return
        self.ids += ids
        self.branches += [branch for branch, (part, _) in enumerate(parts) for _ in part]
        self.learnt += [each for _, learnt in parts for each in learnt]
        self.ends.append(len(self.ids))

    def write(self, path):
        temporary = path.with_suffix(".part.npz")
        np.savez(temporary, ids=np.asarray(self.ids, np.uint16), branches=np.asarray(self.branches, np.uint8), learnt=np.asarray(self.learnt, bool), ends=np.asarray(self.ends, np.int64))
        temporary.rename(path)


def documents(path):
    shard = np.load(path)
    ids, branches, learnt, first = shard["ids"], shard["branches"], shard["learnt"], 0
    for end in shard["ends"]:
        yield ids[first:end].astype(np.int64), branches[first:end].astype(np.int64), learnt[first:end]
        first = end


def targets_of(ids, branches, learnt):
    """(positions, targets, weights): a branch goes on from where the common part ends."""
    positions, targets, weights = np.arange(len(ids)), np.full(len(ids), -1), np.zeros(len(ids), np.float32)
    common = int((branches == 0).sum())
    for branch in range(branches.max() + 1):
        places = np.flatnonzero(branches == branch)
        if len(places) == 0:
            continue
        if branch:
            positions[places] = common + np.arange(len(places))
        here, following = places[:-1], places[1:]
        targets[here] = np.where(learnt[following], ids[following], -1)
        # Short answers count for more than their few tokens would.
        weights[here] = max(1, learnt[places].sum()) ** -0.5
    return positions, targets, weights


def rows_of(made, length, context, rng):
    """Rows of one document or more, the longest first: little is left empty."""
    rows = []
    for document in sorted(made, key=lambda each: -len(each[0])):
        size = len(document[0])
        row = next((row for row in rows if row[0] + size <= length), None)
        if row is None:
            rows.append(row := [0, []])
        row[0] += size
        row[1].append(document)
    for _, parts in rows:
        out = {key: np.zeros(length, np.int64) for key in ("ids", "positions", "documents", "branches")}
        out["targets"], out["weights"] = np.full(length, -1), np.zeros(length, np.float32)
        at = 0
        for number, (ids, branches, learnt) in enumerate(parts):
            here = slice(at, at + len(ids))
            positions, out["targets"][here], out["weights"][here] = targets_of(ids, branches, learnt)
            if rng.random() < 0.15:
                # Distances of long texts without their cost: a leap somewhere (PoSE, arXiv:2309.10400).
                leap = rng.randrange(max(2, int((branches == 0).sum())))
                positions = positions + (positions > leap) * rng.randrange(context - 2 * LENGTHS[-1])
            out["ids"][here], out["positions"][here], out["branches"][here], out["documents"][here] = ids, positions, branches, number + 1
            at += len(ids)
        yield out


def batches(folder, tokens, context, seed, after=0, device="cpu"):
    """Endless: (how many shards are read, batch) with `tokens` tokens each; shards in order, then again in another order."""
    rng, read = random.Random(seed), after
    while True:
        paths = sorted(Path(folder).glob("[0-9]*[0-9].npz"))
        if not paths:
            time.sleep(5)
            continue
        path = paths[read] if read < len(paths) else rng.choice(paths)
        by_length = {length: [] for length in LENGTHS}
        for document in documents(path):
            by_length[next(each for each in LENGTHS if len(document[0]) <= each)].append(document)
        made = []
        for length, group in by_length.items():
            rows = list(rows_of(group, length, context, rng))
            rng.shuffle(rows)
            count = tokens // length
            made += [rows[first : first + count] for first in range(0, len(rows) - count + 1, count)]
        rng.shuffle(made)
        read += 1
        for rows in made:
            yield read, batch(rows, device)


def batch(rows, device):
    out = {key: torch.from_numpy(np.stack([row[key] for row in rows])).to(device) for key in rows[0]}
    flat = out.pop("targets").flatten()
    out["places"] = (flat >= 0).nonzero().flatten()
    out["targets"] = flat[out["places"]]
    out["weights"] = out["weights"].flatten()[out["places"]]
    return out
