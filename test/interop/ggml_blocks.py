"""Writes test/fixtures/chat/ggml-blocks.json: blocks of each GGUF type and what the `gguf` package (PyPI, MIT) makes of them.

Run it when a type is added: python test/interop/ggml_blocks.py
"""
import base64
import json
import pathlib

import numpy as np
from gguf import GGMLQuantizationType as T
from gguf import quants

rng = np.random.default_rng(7)
rows = []
for kind in (T.F32, T.F16, T.BF16, T.Q4_0, T.Q4_1, T.Q5_0, T.Q5_1, T.Q8_0, T.Q4_K, T.Q5_K, T.Q6_K):
    weights = rng.normal(size=(2, 256)).astype(np.float32)
    try:
        packed = quants.quantize(weights, kind)
    except NotImplementedError:
        # No quantizer for K types there: any bytes are valid blocks once their half-precision scales are finite.
        from gguf.constants import GGML_QUANT_SIZES

        _, size = GGML_QUANT_SIZES[kind]
        packed = rng.integers(0, 256, size=(2, size), dtype=np.uint8)
        scales = np.array([[0.011, 0.007], [0.02, 0.003]], dtype=np.float16).view(np.uint8).reshape(2, 4)
        at = size - 2 if kind == T.Q6_K else 0
        width = 2 if kind == T.Q6_K else 4
        packed[:, at:at + width] = scales[:, :width]
    values = quants.dequantize(packed, kind)
    rows.append({
        "type": int(kind),
        "name": kind.name,
        "bytes": base64.b64encode(np.ascontiguousarray(packed).tobytes()).decode(),
        "values": base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode(),
    })
target = pathlib.Path(__file__).parents[1] / "fixtures" / "chat" / "ggml-blocks.json"
target.write_text(json.dumps(rows, indent=1) + "\n")
print(target, len(rows))
