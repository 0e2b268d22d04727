"""Batches of sequences of about one length, so that little is padding and no sequence sees another."""

import itertools

import numpy as np
import torch
from drills import drill
from rendering import encode

LENGTHS = (64, 128, 192, 256, 384, 512, 768, 1024)


class Corpus:
    """Sequences in the order drawn, as small integers."""

    def __init__(self):
        self.ids, self.learnt = [], []

    def add(self, ids, learnt):
        if 8 < len(ids) <= LENGTHS[-1]:
            self.ids.append(np.asarray(ids, np.uint16))
            self.learnt.append(np.asarray(learnt, bool))

    def __len__(self):
        return sum(map(len, self.ids))


def pools(tokenizer, examples, natural, rng, shares, size=2000):
    """Endless: `size` sequences at a time, no conversation twice. `shares`: of drills and of natural text, and which tokens
    drills take; of natural text several paragraphs to a sequence,
    all of it learnt, from its start again when it is over."""
    end, paragraphs = tokenizer.token_to_id("<|endoftext|>"), itertools.cycle(natural)
    while True:
        pool = Corpus()
        for _ in range(size):
            kind = rng.random()
            if kind < shares["drills"]:
                pool.add(*drill(rng, tokenizer, *shares["range"]))
            elif kind < shares["drills"] + shares["natural"]:
                ids = []
                while len(ids) < 200:
                    ids += [*tokenizer.encode(next(paragraphs), add_special_tokens=False).ids, end]
                ids = ids[: LENGTHS[-1]]
                pool.add(ids, [True] * len(ids))
            else:
                pool.add(*encode(tokenizer, next(examples)))
        yield pool


def batches(corpus, tokens, rng):
    """(ids, places, targets, weights) with about `tokens` tokens each, of one length each, in random order; what fills no batch is left."""
    by_length = {length: [] for length in LENGTHS}
    for at, sequence in enumerate(corpus.ids):
        by_length[next(each for each in LENGTHS if len(sequence) - 1 <= each)].append(at)
    made = []
    for length, group in by_length.items():
        count = max(1, tokens // length)
        made += [(length, group[first : first + count]) for first in range(0, len(group) - count + 1, count)]
    rng.shuffle(made)
    for length, group in made:
        yield batch(corpus, length, group)


def batch(corpus, length, group):
    ids = np.zeros((len(group), length), np.int64)
    targets = np.full((len(group), length), -1, np.int64)
    weights = np.zeros((len(group), length), np.float32)
    for row, at in enumerate(group):
        sequence, learnt = corpus.ids[at].astype(np.int64), corpus.learnt[at]
        ids[row, : len(sequence) - 1] = sequence[:-1]
        targets[row, : len(sequence) - 1] = np.where(learnt[1:], sequence[1:], -1)
        # Short answers count for more than their few tokens would.
        weights[row] = max(1, learnt.sum()) ** -0.5
    flat = targets.reshape(-1)
    places = np.flatnonzero(flat >= 0)
    return tuple(torch.from_numpy(each) for each in (ids, places, flat[places], weights.reshape(-1)[places]))
