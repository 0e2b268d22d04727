"""Contrastive training of the table and of the token weights.

A text is the weighted sum of its rows. Each batch updates only the rows it touches (row-wise Adagrad), and a pull towards the
starting vectors keeps words that training never meets where the dictionaries put them. The table is updated by hand: with
pooled = C·(w·V), the gradient of log w is the row-wise product of V and its own gradient, so no gradient per token is needed."""

import math
import random
import time

import numpy as np
import scipy.sparse as sparse
import torch

TEMPERATURE = 0.06
RANK_TEMPERATURE = 0.05


def count_matrix(rows, used, limit=320):
    """Texts x used rows: the square root of how often each occurs, as the graph pools."""
    rows = [row[:limit] for row in rows]
    flat = np.fromiter((value for row in rows for value in row), np.int64)
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    columns = np.searchsorted(used, flat)
    matrix = sparse.csr_matrix((np.ones(len(flat), np.float32), (owner, columns)), shape=(len(rows), len(used)))
    matrix.sum_duplicates()
    matrix.data = np.sqrt(matrix.data)
    return matrix


def contrast(left, right):
    """Symmetric InfoNCE: each text must find its partner among the batch."""
    scores = left @ right.T / TEMPERATURE
    truth = torch.arange(len(left))
    return (torch.nn.functional.cross_entropy(scores, truth) + torch.nn.functional.cross_entropy(scores.T, truth)) / 2


def rank(left, right, grades):
    """CoSENT: a pair graded higher must have the higher cosine."""
    cosine = (left * right).sum(1) / RANK_TEMPERATURE
    gap = cosine[None, :] - cosine[:, None]
    ordered = grades[:, None] > grades[None, :] + 0.1
    return torch.logsumexp(torch.cat([torch.zeros(1), gap[ordered]]), 0)


class Table:
    def __init__(self, start, weights, options):
        self.start = start
        self.vectors = start.copy()
        self.log_weights = np.log(weights).astype(np.float32)
        self.start_log_weights = self.log_weights.copy()
        self.square = np.full(len(start), 1e-4, np.float32)
        self.square_weights = np.full(len(start), 1e-2, np.float32)
        self.options = options

    def step(self, left, right, grades, rate):
        used = np.unique(np.fromiter((value for row in left + right for value in row), np.int64))
        counts = count_matrix(left + right, used)
        vectors, weights = self.vectors[used], np.exp(self.log_weights[used])
        pooled = torch.from_numpy(counts @ (vectors * weights[:, None])).requires_grad_()
        unit = torch.nn.functional.normalize(pooled, dim=1, eps=1e-4)
        a, b = unit[: len(left)], unit[len(left) :]
        loss = contrast(a, b) if grades is None else self.options["rank_share"] * rank(a, b, torch.tensor(grades))
        loss.backward()
        weighted_grad = counts.T @ pooled.grad.numpy()
        weight_grad = weights * (weighted_grad * vectors).sum(1)
        self._apply(used, weighted_grad * weights[:, None], weight_grad, rate)
        return float(loss.detach())

    def _apply(self, used, grad, weight_grad, rate):
        grad += self.options["pull"] * 2 / len(used) * (self.vectors[used] - self.start[used])
        weight_grad += 0.1 * self.options["pull"] * 2 / len(used) * (self.log_weights[used] - self.start_log_weights[used])
        self.square[used] += (grad**2).sum(1)
        self.vectors[used] -= rate * grad / np.sqrt(self.square[used])[:, None]
        self.square_weights[used] += weight_grad**2
        self.log_weights[used] -= self.options["weight_rate"] * rate * weight_grad / np.sqrt(self.square_weights[used])


class Batches:
    """Draws a source by its share, then the next pairs of that source in a shuffled order."""

    def __init__(self, sources, encoder, seed):
        self.random = random.Random(seed)
        self.names = list(sources)
        self.shares = [sources[name][0] for name in self.names]
        self.rows = {}
        for name, (_, pairs) in sources.items():
            left, right = encoder.rows([pair[0] for pair in pairs]), encoder.rows([pair[1] for pair in pairs])
            grades = [pair[2] if len(pair) > 2 else None for pair in pairs]
            self.rows[name] = [(a, b, grade) for a, b, grade in zip(left, right, grades) if a and b and (a != b or grade is not None)]
        self.cursors = {name: 0 for name in self.names}

    def next(self, size):
        name = self.random.choices(self.names, self.shares)[0]
        rows = self.rows[name]
        if self.cursors[name] + size > len(rows) or self.cursors[name] == 0:
            self.random.shuffle(rows)
            self.cursors[name] = 0
        chosen = rows[self.cursors[name] : self.cursors[name] + size]
        self.cursors[name] += size
        grades = None if chosen[0][2] is None else [item[2] for item in chosen]
        return [item[0] for item in chosen], [item[1] for item in chosen], grades


def train(table, batches, options, report):
    started = time.time()
    average = 0.0
    for number in range(1, options["steps"] + 1):
        progress = number / options["steps"]
        rate = options["rate"] * min(1.0, progress / 0.02) * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * progress)))
        loss = table.step(*batches.next(options["batch"]), rate)
        average = loss if number == 1 else 0.99 * average + 0.01 * loss
        if number % options["report_every"] == 0:
            report(number, average, time.time() - started)
