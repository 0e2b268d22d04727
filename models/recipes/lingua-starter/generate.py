"""Writes shards of training data for ever, some ahead of training:
python generate.py --packages PACKAGES --shared SHARED --out OUT --worker 0 --workers 1"""

import argparse
import random
import time
from itertools import cycle
from pathlib import Path

import build
from data import Shard
from drills import drill
from rendering import encode_family
from tasks.mixture import families

TOKENS, MOST = 500_000, 400


def fill(tokenizer, source, paragraphs, rng, shares, vocab):
    shard, end = Shard(), tokenizer.token_to_id("<|endoftext|>")
    while len(shard.ids) < TOKENS:
        kind = rng.random()
        if kind < shares["drills"]:
            shard.add([drill(rng, tokenizer, 300, vocab)])
        elif kind < shares["drills"] + shares["natural"]:
            ids = []
            while len(ids) < 200:
                ids += [*tokenizer.encode(next(paragraphs), add_special_tokens=False).ids, end]
            shard.add([(ids[:500], [True] * len(ids[:500]))])
        else:
            shard.add(encode_family(tokenizer, next(source)))
    return shard


def main():
    parser = argparse.ArgumentParser()
    build.add_sources(parser)
    parser.add_argument("--worker", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--shards", type=int, default=MOST)
    arguments = parser.parse_args()
    shape, tokenizer, text, _ = build.prepare(arguments)
    folder = arguments.out / "shards"
    folder.mkdir(exist_ok=True)
    for number in range(arguments.worker, arguments.shards, arguments.workers):
        path = folder / f"{number:05d}.npz"
        if path.exists():
            continue
        began, rng = time.time(), random.Random(1000 + number)
        rng.shuffle(text)
        shard = fill(tokenizer, families(arguments.seed * 100_000 + number), cycle(text), rng, {"drills": 0.02, "natural": 0.02}, shape.vocab)
        shard.write(path)
        print(f"{path.name}: {len(shard.ends)} documents, {len(shard.ids)} tokens, {sum(shard.learnt)} learnt, {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
