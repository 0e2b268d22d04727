"""Writes the pack: model.onnx, model.onnx.data, tokenizer.json and manifest.json."""

import hashlib
import json

from graph import build_model, save_model
from quantize import codes_of, scales_of
from vocabulary import MARK, write_tokenizer

VERSION = "0.2.0"
FILES = ["model.onnx", "model.onnx.data", "tokenizer.json"]
# Texts without any known token still need a direction: the start token gives a faint one.
FAINT = {"<s>": 1e-4, "<unk>": 0.02, MARK: 0.0, "<pad>": 0.0, "<|query|>": 0.0}


def fold_weights(vocabulary, weights, scales):
    weights = weights.copy()
    for name, value in FAINT.items():
        weights[vocabulary.row_of[name]] = value
    return weights * scales


def file_entry(path):
    data = path.read_bytes()
    return {"path": path.name, "size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def manifest(folder, figures):
    return {
        "id": "embed-starter",
        "version": VERSION,
        "name": "Lokal Embed Starter",
        "publisher": "Lokal",
        "roles": ["svc-embed-base"],
        "format": "onnx",
        "engine": "embeddings",
        "files": [file_entry(folder / name) for name in FILES],
        "licence": "Apache-2.0",
        "languages": ["en", "ms", "zh"],
        "status": "starter",
        "context": 4096,
        "dims": 1024,
        "quantization": "3-bit, one scale a row",
        "memory_mb": 350,
        "encoder": {"pooling": "none", "output": "sentence_embedding", "max_tokens": 4096, "pad_token_id": 0, "prefixes": {"query": "<|query|>", "document": "<|document|>", "similarity": ""}, "batch_tokens": 2048},
        "provenance": {"recipe": "models/recipes/embed-starter", "trained_by": "Lokal", "development_figures_before_quantisation": figures},
        "description": "Static trilingual sentence vectors: 72,000 words and characters of English, Malay and Chinese placed by wordnets and aligned text, weighted and summed. Good for similarity, search and matching across the three languages; blind to word order.",
        "descriptions": {
            "ms": "Vektor ayat statik tiga bahasa: 72,000 perkataan dan aksara bahasa Inggeris, Melayu dan Cina yang ditempatkan melalui wordnet dan teks sejajar, diberi pemberat dan dijumlahkan. Sesuai untuk persamaan, carian dan padanan merentas tiga bahasa itu; tidak mengambil kira susunan perkataan.",
            "zh": "三种语言的静态句向量：英语、马来语和中文的 72,000 个词和字，依词网和对齐文本定位，加权求和。适合在三种语言之间比较、搜索和匹配；不考虑词序。",
        },
    }


def write_pack(folder, vocabulary, row_map, vectors, weights, query_weights, figures):
    folder.mkdir(parents=True, exist_ok=True)
    codes = codes_of(vectors)
    scales = scales_of(vectors, codes)
    write_tokenizer(vocabulary, folder / "tokenizer.json")
    save_model(build_model(row_map, codes, fold_weights(vocabulary, weights, scales), fold_weights(vocabulary, query_weights, scales)), folder)
    for name in FILES:
        (folder / name).chmod(0o644)
    (folder / "manifest.json").write_text(json.dumps(manifest(folder, figures), ensure_ascii=False, indent=2) + "\n", "utf-8")
