"""Development measures: hand-graded similarity, FLORES and Tatoeba bitext, CMRC retrieval. None of it is trained on."""

import gzip
import json
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from parallel import tatoeba_pairs


def top1(left, right):
    scores = left @ right.T
    truth = np.arange(len(left))
    return float(((scores.argmax(1) == truth).mean() + (scores.argmax(0) == truth).mean()) / 2)


def ndcg10(scores, truth):
    own = scores[np.arange(len(truth)), truth][:, None]
    rank = (scores > own).sum(1)
    return float(np.where(rank < 10, 1 / np.log2(rank + 2), 0).mean())


def cmrc(shared):
    data = json.loads(gzip.open(Path(shared) / "emb-cmrc2018-zh/cmrc2018_dev.json.gz", "rt", encoding="utf-8").read())
    passages, questions, truth = [], [], []
    for article in data["data"]:
        for paragraph in article["paragraphs"]:
            passages.append(paragraph["context"])
            for qa in paragraph["qas"]:
                questions.append(qa["question"])
                truth.append(len(passages) - 1)
    return passages, questions, np.array(truth)


def similarity_rows(folder, language):
    """dev/similarity.txt: grade, then two texts for each language."""
    lines = (Path(folder) / "similarity.txt").read_text("utf-8").splitlines()
    rows = [line.split("|") for line in lines if not line.startswith("#")]
    column = 1 + 2 * ("en", "ms", "zh").index(language)
    return [row[column] for row in rows], [row[column + 1] for row in rows], [float(row[0]) for row in rows]


def evaluate(embed, shared, dev, retrieval=True):
    """`embed(texts, task)` -> unit rows. Returns a flat table of figures."""
    result = {}
    for language in ("en", "ms", "zh"):
        left, right, gold = similarity_rows(dev, language)
        result[f"sts_{language}"] = float(spearmanr((embed(left, None) * embed(right, None)).sum(1), gold).statistic)
    rows = [line.split("\t") for line in (Path(shared) / "emb-flores-dev-en-ms-zh/flores200_dev.tsv").read_text("utf-8").splitlines()[1:]]
    english, malay, chinese = (embed([row[i] for row in rows], None) for i in range(3))
    result |= {"flores_ms": top1(english, malay), "flores_zh": top1(english, chinese), "flores_ms_zh": top1(malay, chinese)}
    for language in ("ms", "zh"):
        pairs = [row for row in tatoeba_pairs(Path(shared) / "emb-tatoeba-en-ms-zh", "dev") if row[0] == language]
        result[f"tatoeba_{language}"] = top1(embed([row[1] for row in pairs], None), embed([row[2] for row in pairs], None))
    if retrieval:
        passages, questions, truth = cmrc(shared)
        plain = embed(passages, None)
        result["cmrc_plain"] = ndcg10(embed(questions, None) @ plain.T, truth)
        result["cmrc"] = ndcg10(embed(questions, "query") @ embed(passages, "document").T, truth)
    return {key: round(value, 4) for key, value in result.items()}
