"""The floor: character n-grams and one logistic regression a category, on the same rows."""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import SGDClassifier

from model import CATEGORIES


def baseline_scores(texts, labels, test_texts, seed):
    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4), min_df=3, sublinear_tf=True, max_features=200_000)
    train = vectors.fit_transform(texts)
    test = vectors.transform(test_texts)
    scores = np.zeros((len(test_texts), len(CATEGORIES)))
    for column in range(len(CATEGORIES)):
        known = labels[:, column] >= 0
        truth = labels[known, column]
        if truth.sum() == 0:
            continue
        model = SGDClassifier(loss="log_loss", alpha=2e-6, max_iter=6, tol=None, random_state=seed).fit(train[known], truth)
        scores[:, column] = model.predict_proba(test)[:, 1]
    return scores


def floor_scores(rows, pool, held, openai, seed):
    """The baseline's scores on held rows, a fit a language; the OpenAI rows in two halves, each scored by the other's fit."""
    texts, labels = [row["text"] for row in rows], np.array([row["labels"] for row in rows])
    of = {language: [i for i in pool if rows[i]["language"] == language] for language in ("en", "ms", "zh")}
    fits = [(chosen, [i for i in held if rows[i]["language"] == language]) for language, chosen in of.items()]
    halves = [openai[::2], openai[1::2]]
    fits += [(of["en"] + list(trained) * 3, tested) for trained, tested in (halves, halves[::-1])]
    scores = {}
    for chosen, asked in fits:
        found = baseline_scores([texts[i] for i in chosen], labels[chosen], [texts[i] for i in asked], seed)
        scores.update(zip(asked, found))
    return np.stack([scores[i] for i in [*held, *openai]])
