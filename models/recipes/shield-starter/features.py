"""Token features of texts, computed by the engine's own TypeScript (featurize.ts), so both sides can never differ."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
BUCKETS = 1 << 18
PER_TOKEN = 18
LONGEST = 256


def featurize(texts):
    """One int32 array [tokens, PER_TOKEN] a text; empty texts get one padding token."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as lines:
        for text in texts:
            lines.write(json.dumps(text, ensure_ascii=True) + "\n")
        lines.flush()
        with open(lines.name) as handle:
            command = ["node", str(HERE / "featurize.ts"), str(BUCKETS), str(LONGEST)]
            raw = subprocess.run(command, stdin=handle, stdout=subprocess.PIPE, check=True).stdout
    flat = np.frombuffer(raw, dtype=np.int32)
    blocks, at = [], 0
    for _ in texts:
        size = int(flat[at])
        block = flat[at + 1 : at + 1 + size].reshape(-1, PER_TOKEN)
        blocks.append(block if size else np.zeros((1, PER_TOKEN), np.int32))
        at += 1 + size
    assert at == len(flat)
    return blocks
