"""Word vectors of the embeddings starter (embed-words.ts) on their first 64 principal axes, 8 bits a number: python word_table.py VECTORS OUT

OUT: little-endian uint32 count, uint32 size; count uint32 hashes (FNV-1a of the UTF-8 word), ascending; count uint8 weights (how telling a
word is, by its rank); count × size int8."""

import json
import sys
from pathlib import Path

import numpy as np

SIZE = 64


def fnv(word):
    value = 0x811C9DC5
    for byte in word.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    words = json.loads((source / "words.json").read_text())
    vectors = np.fromfile(source / "vectors.f32", dtype=np.float32).reshape(len(words), -1)
    _, axes = np.linalg.eigh(vectors.astype(np.float64).T @ vectors)
    small = (vectors @ axes[:, ::-1][:, :SIZE]).astype(np.float32)
    small /= np.maximum(np.linalg.norm(small, axis=1, keepdims=True), 1e-6)
    hashes = np.array([fnv(word) for word in words], dtype=np.uint32)
    ranks = np.log1p(np.arange(len(words))) / np.log(20_000)
    weights = np.array([0.25 if len(w) == 1 and w > "㐀" else min(1, r) for w, r in zip(words, ranks)])
    order = np.argsort(hashes, kind="stable")
    order = order[np.concatenate([[True], np.diff(hashes[order]) > 0])]
    with target.open("wb") as file:
        file.write(np.array([len(order), SIZE], dtype="<u4").tobytes())
        file.write(hashes[order].astype("<u4").tobytes())
        file.write(np.round(weights[order] * 255).astype(np.uint8).tobytes())
        file.write(np.round(np.clip(small[order] / np.abs(small).max(), -1, 1) * 127).astype(np.int8).tobytes())


if __name__ == "__main__":
    main()
