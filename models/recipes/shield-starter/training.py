"""Batches, the masked loss, and two ways to train: from nothing, and a short second stage over a mix."""

import random

import numpy as np
import torch
from torch import nn

from features import PER_TOKEN
from model import Shield

SMOOTHING = 0.03


def padded(blocks):
    length = max(len(block) for block in blocks)
    ids = np.zeros((len(blocks), length, PER_TOKEN), np.int64)
    for index, block in enumerate(blocks):
        ids[index, : len(block)] = block
    return torch.from_numpy(ids)


def batches(lengths, chosen, size, rng):
    """Shuffled batches of rows of like length."""
    order = list(chosen)
    rng.shuffle(order)
    groups = [sorted(order[at : at + size * 40], key=lambda i: lengths[i]) for at in range(0, len(order), size * 40)]
    found = [group[at : at + size] for group in groups for at in range(0, len(group), size)]
    rng.shuffle(found)
    return found


def loss_of(logits, labels, weights):
    known = (labels >= 0).float() * weights.unsqueeze(1)
    goal = labels.clamp(min=0) * (1 - 2 * SMOOTHING) + SMOOTHING
    each = nn.functional.binary_cross_entropy_with_logits(logits, goal, reduction="none")
    return (each * known).sum() / known.sum().clamp(min=1)


def train(blocks, labels, weights, chosen, epochs, seed, start=None, rate=1.0, log=print):
    """Trains on the rows `chosen`; `start` continues from a model's state at a lower `rate`."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Shield()
    if start is not None:
        model.load_state_dict(start)
    dense = [p for name, p in model.named_parameters() if not name.startswith("table")]
    tables = torch.optim.SparseAdam(model.table.parameters(), lr=2e-3 * rate)
    layers = torch.optim.AdamW(dense, lr=1e-3 * rate, weight_decay=1e-2)
    lengths = [len(block) for block in blocks]
    model.train()
    for epoch in range(epochs):
        total, seen = 0.0, 0
        for batch in batches(lengths, chosen, 96, rng):
            loss = loss_of(model(padded([blocks[i] for i in batch])), labels[batch], weights[batch])
            tables.zero_grad()
            layers.zero_grad()
            loss.backward()
            tables.step()
            layers.step()
            total, seen = total + loss.item(), seen + 1
            if seen % 200 == 0:
                log(f"  step {seen} loss {total / seen:.4f}")
        log(f"epoch {epoch + 1}/{epochs} loss {total / max(seen, 1):.4f}")
        for optimizer in (tables, layers):
            for group in optimizer.param_groups:
                group["lr"] *= 0.5
    return model.eval()


@torch.no_grad()
def predict(model, blocks, chosen):
    order = sorted(chosen, key=lambda i: len(blocks[i]))
    logits = {}
    for at in range(0, len(order), 128):
        part = order[at : at + 128]
        for index, values in zip(part, model(padded([blocks[i] for i in part])).numpy()):
            logits[index] = values
    return np.stack([logits[i] for i in chosen])
