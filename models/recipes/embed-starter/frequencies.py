"""How much of running text each row takes, the base of its starting weight."""

from collections import defaultdict

import numpy as np

from vocabulary import HAN, MARK


def frequencies(corpora, vocabulary):
    """Share of running text each row takes in its own language; Malay counts are lifted by the English ones of shared concepts."""
    table = np.zeros(len(vocabulary.rows))
    english, malay, zh = corpora.english_counts, corpora.malay_counts, corpora.jieba
    for counts in (english, malay, zh):
        total = sum(counts.values())
        share = defaultdict(float)
        for word, count in counts.items():
            token = word if HAN.fullmatch(word) else MARK + word
            if token in vocabulary.tokens:
                share[vocabulary.tokens[token][1]] += count / total
        for row, value in share.items():
            table[row] = max(table[row], value)
    return lift_frequencies(table, corpora, vocabulary)


def lift_frequencies(table, corpora, vocabulary):
    """A translation of a frequent English word is at least about as frequent; light words get a floor of their own."""
    for english, *others in corpora.lexicon:
        known = [table[vocabulary.row_of[MARK + word]] for word in english if MARK + word in vocabulary.row_of]
        for word in (word for cell in others for word in cell):
            row = vocabulary.row_of.get(word, vocabulary.row_of.get(MARK + word))
            if row is not None and known:
                table[row] = max(table[row], 0.7 * max(known))
    for word in corpora.light_words:
        row = vocabulary.row_of.get(word, vocabulary.row_of.get(MARK + word))
        if row is not None:
            table[row] = max(table[row], 4e-3)
    return table
