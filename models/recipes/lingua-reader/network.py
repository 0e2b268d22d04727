"""The reading network: convolutions for what stands beside a word, attention for the rest, over question and text at once."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

WORD_BUCKETS, AFFIX_BUCKETS, VECTOR, FEATURES = 8192, 2048, 64, 40
OUTCOMES = ["span", "none", "yes", "no", "sum", "count", "diff", "avg", "max", "min", "other"]
DISTANCES = 32
UNKNOWN_WORDS, UNKNOWN_TEXTS = 0.4, 0.3


class Dropout(nn.Module):
    """Dropout by bytes: drawing a number for each value took a sixth of the training."""

    def __init__(self, share):
        super().__init__()
        self.least = round(share * 256)
        self.random = np.random.default_rng(1)

    def forward(self, x):
        if not self.training:
            return x
        drawn = torch.from_numpy(np.frombuffer(self.random.bytes(x.numel()), np.uint8).copy()).view(x.shape)
        return x * ((drawn >= self.least).to(x.dtype) * (256 / (256 - self.least)))


class Block(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads = heads
        self.before_near = nn.LayerNorm(width)
        self.near = nn.Conv1d(width, width, 7, padding=3, groups=width)
        self.gate = nn.Linear(width, 2 * width)
        self.before_far = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.before_mix = nn.LayerNorm(width)
        self.mix = nn.Sequential(nn.Linear(width, 3 * width), nn.GELU(), nn.Linear(3 * width, width))
        self.dropout = Dropout(dropout)

    def forward(self, x, kept, bias):
        near = self.near((self.before_near(x) * kept).transpose(1, 2)).transpose(1, 2)
        value, gate = self.gate(near).chunk(2, -1)
        x = x + self.dropout(value * torch.sigmoid(gate))
        batch, length, width = x.shape
        q, k, v = self.qkv(self.before_far(x)).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        scores = (q / math.sqrt(width // self.heads)) @ k.transpose(-1, -2) + bias.to(q.dtype)
        # In the numbers' own precision: autocast would copy all scores to float32.
        with torch.autocast("cpu", enabled=False):
            weights = torch.softmax(scores, -1)
        x = x + self.dropout(self.out((weights @ v).transpose(1, 2).reshape(batch, length, width)))
        return x + self.dropout(self.mix(self.before_mix(x)))


def buckets_of_distance(length):
    """Near distances by themselves, far ones by their logarithm."""
    place = torch.arange(length)
    far = place[None, :] - place[:, None]
    size = far.abs().clamp(min=1).float()
    near = far.abs().clamp(max=15)
    grown = torch.where(far.abs() < 16, near.float(), 16 + torch.log2(size / 16) * 3.9).clamp(max=DISTANCES).long()
    return torch.where(far < 0, -grown, grown) + DISTANCES


class Reader(nn.Module):
    def __init__(self, width=160, layers=4, heads=5, dropout=0.15):
        super().__init__()
        self.word = nn.Embedding(WORD_BUCKETS, 48)
        self.prefix = nn.Embedding(AFFIX_BUCKETS, 24)
        self.suffix = nn.Embedding(AFFIX_BUCKETS, 24)
        for table in (self.word, self.prefix, self.suffix):
            nn.init.normal_(table.weight, std=0.3)
        self.enter = nn.Linear(48 + 24 + 24 + VECTOR + FEATURES, width)
        self.blocks = nn.ModuleList([Block(width, heads, dropout) for _ in range(layers)])
        self.distance = nn.Parameter(torch.zeros(heads, 2 * DISTANCES + 1))
        self.norm = nn.LayerNorm(width)
        self.places = nn.Linear(width, 4)
        self.outcome = nn.Sequential(nn.Linear(3 * width, width), nn.GELU(), nn.Linear(width, len(OUTCOMES)))
        self.dropout = Dropout(dropout)

    def forward(self, hashes, vectors, features, mask):
        """hashes [batch, length, 3] int64; vectors [batch, length, 64] and features [batch, length, 40] float; mask [batch, length] float, 1: a word.
        Returns places [batch, 4, length] (start, end, inside, sentence) and outcome [batch, 11], both logits."""
        entered = torch.cat([self.word(hashes[..., 0]), self.prefix(hashes[..., 1]), self.suffix(hashes[..., 2])], -1)
        if self.training:
            # Whole words at a time, and those of whole texts: what a text is about must be read from the likeness of its words, not known by heart.
            entered = entered * (torch.rand_like(mask) > UNKNOWN_WORDS)[..., None] * (torch.rand(len(mask)) > UNKNOWN_TEXTS)[:, None, None]
        x = self.enter(torch.cat([self.dropout(entered), vectors, features], -1))
        bias = self.distance[:, buckets_of_distance(hashes.shape[1])][None] + (1 - mask)[:, None, None, :] * -1e4
        if torch.is_autocast_enabled("cpu"):
            bias = bias.bfloat16()
        for block in self.blocks:
            x = block(x, mask[..., None], bias)
        x = self.norm(x)
        weight = mask[..., None]
        question = weight * features[..., 6:7]
        pooled = [(x * each).sum(1) / each.sum(1).clamp(min=1) for each in (weight, question)]
        highest = (x + (weight - 1) * 1e4).amax(1)
        isText = mask * (1 - features[..., 6]) * (1 - features[..., 39])
        places = self.places(x).transpose(1, 2) + (isText[:, None, :] - 1) * 1e4
        return places, self.outcome(torch.cat([*pooled, highest], -1))
