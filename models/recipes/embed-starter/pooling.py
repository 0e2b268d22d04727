"""The pack's arithmetic in numpy, for measuring while training: weighted rows, repeats damped by their square root,
mixed with the lexical half, unit length."""

import numpy as np
import scipy.sparse as sparse

from lexical import SHARES, directions
from matrices import unit


def starting_weights(vocabulary, frequencies, half=1e-3):
    """Arora's smooth inverse frequency; affixes and pieces of unknown words get fixed ones."""
    weights = half / (half + frequencies)
    for row, name in enumerate(vocabulary.rows):
        if name.startswith("affix:"):
            weights[row] = 0.15
        elif name.startswith("piece:"):
            weights[row] = 0.5
    return weights.astype(np.float32)


def query_weights(vocabulary, weights, corpora):
    """Words that ask ("which", "berapa", "什么") count a quarter in a query."""
    result = weights.copy()
    for word in corpora.asking_words:
        for name in (word, "▁" + word):
            if name in vocabulary.row_of:
                result[vocabulary.row_of[name]] *= 0.25
    return result


def embedder(encoder, vectors, weights, query):
    def embed(texts, task):
        rows = encoder.rows(texts)
        owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        columns = np.array([value for row in rows for value in row], np.int64)
        counts = sparse.csr_matrix((np.ones(len(columns), np.float32), (owner, columns)), shape=(len(texts), len(vectors)))
        counts.sum_duplicates()
        counts.data = np.sqrt(counts.data)
        chosen = query if task == "query" else weights
        weighted = counts @ sparse.diags(chosen.astype(np.float32))
        used = np.unique(columns)
        lexical = unit(weighted[:, used] @ directions(used))
        share = SHARES[task]
        return unit((1 - share) ** 0.5 * unit(weighted @ vectors) + share**0.5 * lexical)

    return embed
