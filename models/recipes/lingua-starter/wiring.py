"""Copying wired into the first weights. Small models find the circuit for it late (after far more text than two cores read in
an hour), and every grounded task rests on it; so it is there from the start, and training turns it to use.

Every row of tokens gets a random code in `A`. A head of layer 0 looks one position back and writes that token's code to `B`; a
head of layer 1 compares its own code with what is in `B`, so that it finds what followed the same token before, and
writes the code it finds, which the tied head reads as that token. The heads of the later layers bring codes too, from
wherever they learn to look. (Elhage et al., A Mathematical Framework for Transformer Circuits, 2021: induction heads.)"""

import math

import torch

CODE, MATCH = 64, 32


@torch.no_grad()
def wire(model):
    shape = model.shape
    width, dim = shape.hidden, shape.head_dim
    start = width - CODE - MATCH - 1
    a = slice(start, start + CODE)
    b = slice(start + CODE, start + CODE + MATCH)
    one = width - 1
    group = shape.heads // shape.kv_heads
    codes = torch.randn(shape.vocab, CODE)
    codes = codes / codes.norm(dim=1, keepdim=True)
    model.shared[:, start:] = 0
    model.manner[:, start:] = 0
    # The last kv head of each layer and its queries; keys follow all queries, values all keys.
    inner, kv = shape.heads * dim, shape.kv_heads * dim
    query = slice(inner - group * dim, inner - (group - 1) * dim)
    key = slice(inner + kv - dim, inner + kv)
    value = slice(inner + 2 * kv - dim, inner + 2 * kv)
    size = 0.35
    model.shared[:, a] = codes * size
    model.shared[:, one] = size
    # What a norm makes of a part of size 1: the rest of the embedding is small beside code and constant.
    model.norm.weight[a] = 2
    rms = (model.embedding().pow(2).mean(1).sqrt()).mean().item()
    gain = rms / size
    for index, block in enumerate(model.blocks):
        weight, out = block.qkv.weight, block.out.weight
        weight[value] = 0
        head = slice((shape.heads - group) * dim, (shape.heads - group + 1) * dim)
        out[:, head] = 0
        if index == 0:
            weight[query], weight[key] = 0, 0
            for pair in range(8):
                angle = shape.theta ** (-pair / (dim / 2))
                strength = math.sqrt(60) * gain
                # turn() adds the position's angle: a key one back meets the query where their own angles differ by one step.
                weight[query.start + pair, one] = strength * math.cos(angle)
                weight[query.start + dim // 2 + pair, one] = -strength * math.sin(angle)
                weight[key.start + pair, one] = strength
            for at in range(MATCH):
                weight[value.start + at, a.start + at] = gain
                out[b.start + at, head.start + at] = size
        else:
            for at in range(CODE):
                weight[value.start + at, a.start + at] = gain
                out[a.start + at, head.start + at] = size * (2.0 if index == 1 else 0.5)
                for other in range(1, group):
                    out[a.start + at, head.start + other * dim + at] = size * 0.5
            if index == 1:
                weight[query], weight[key] = 0, 0
                strength = math.sqrt(8 * 24) * gain
                for at in range(MATCH):
                    # The slow half of the pairs, so that distance hardly counts.
                    place = at // 2 + dim // 4 + (dim // 2 if at % 2 else 0)
                    weight[query.start + place, a.start + at] = strength
                    weight[key.start + place, b.start + at] = strength
