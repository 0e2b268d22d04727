"""Folds the votes for Latin text (shared.py) into a pack: `python fold.py --data DATA --pack PACK --logits LOGITS` (some minutes).

LOGITS are those that build.py wrote (`--logits`): they hold the OpenAI rows' from models that never saw them. Calibration, thresholds, figures and
the card's tables are made anew. build.py ends with it; a pack that has votes gets new ones.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto
from sklearn.linear_model import LogisticRegression

import wide
from calibration import FEWEST, apply, choose_thresholds, fit_scripts, hard_weights, of_script, source_weights
from corpus import CORRECTING, corpus, weight
from export import Graph
from features import featurize
from metrics import evaluated, folds, sigmoid
from model import CATEGORIES
from shared import CORRECTED, FADING, LATIN_SLOT, LEVEL, LEVELLED, MALAY, correction_rows, fit_correction, fit_harm, fit_malay, latin, learns, levelled, mixing

SEED = 7
OWN = "own_logits"
NEWER = ("written", "everyday", "notes")


def own_graph(path):
    """The graph without votes; what it answers is called `own_logits`."""
    proto = onnx.load(str(path))
    names = [name for node in proto.graph.node for name in node.output]
    last = names.index(OWN) if OWN in names else len(names) - 1
    del proto.graph.node[last + 1 :]
    proto.graph.node[last].output[0] = OWN
    read = {name for node in proto.graph.node for name in node.input}
    kept = [constant for constant in proto.graph.initializer if constant.name in read]
    del proto.graph.initializer[:]
    proto.graph.initializer.extend(kept)
    return proto


def answers(proto, blocks, output):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    named = onnx.ModelProto()
    named.CopyFrom(proto)
    named.graph.output[0].name = output
    session = onnxruntime.InferenceSession(named.SerializeToString(), options, providers=["CPUExecutionProvider"])
    bags = wide.matrix(blocks)
    found = np.zeros((len(blocks), len(CATEGORIES)), np.float32)
    order = np.argsort([len(block) for block in blocks], kind="stable")
    for at in range(0, len(order), 64):
        part = order[at : at + 64]
        ids = np.zeros((len(part), max(len(blocks[i]) for i in part), blocks[0].shape[1]), np.int32)
        bag_ids = np.zeros((len(part), max(1, max(bags.indptr[i + 1] - bags.indptr[i] for i in part))), np.int32)
        values = np.zeros(bag_ids.shape, np.float32)
        for row, i in enumerate(part):
            start, end = bags.indptr[i], bags.indptr[i + 1]
            ids[row, : len(blocks[i])] = blocks[i]
            bag_ids[row, : end - start], values[row, : end - start] = bags.indices[start:end], bags.data[start:end]
        found[part] = session.run([output], {"ids": ids, "bag_ids": bag_ids, "bag_values": values})[0]
    return found


def add_votes(proto, table, bias, scaling, malay):
    """own_logits → logits: the votes by the share of Latin words, the likeliest categories levelled to them, and what Malay text is moved by."""
    slopes, intercepts = (np.array([[scaling[name][part] for name in CATEGORIES]], np.float32) for part in ("slope", "intercept"))
    graph = Graph()
    graph.constant("latin_votes", table.astype(np.float16))
    graph.add("Gather", ["latin_votes", "bag_ids"], "latin_rows", axis=0)
    graph.add("Cast", ["latin_rows"], "latin_rows_f", to=TensorProto.FLOAT)
    graph.add("Mul", ["latin_rows_f", "bag_column"], "latin_parts")
    graph.add("ReduceSum", ["latin_parts", "axis1"], "latin_sum", keepdims=0)
    graph.add("Add", ["latin_sum", graph.constant("latin_bias", bias.astype(np.float32))], "latin_said")
    graph.add("Gather", ["filled_f", graph.constant("latin_slot", np.int64(LATIN_SLOT))], "latin_tokens", axis=2)
    graph.add("ReduceSum", ["latin_tokens", "axis1"], "latin_count", keepdims=1)
    graph.add("Div", ["latin_count", "size"], "latin_part")
    graph.add("Mul", ["latin_part", graph.constant("latin_two", np.float32(2))], "latin_twice")
    graph.add("Min", ["latin_twice", "one"], "latin")
    graph.add("Mul", ["latin_said", "latin"], "latin_gated")
    graph.add("MatMul", ["latin_gated", graph.constant("latin_mixing", np.vstack([mixing(), np.zeros((1, len(CATEGORIES)), np.float32)]))], "latin_logits")
    graph.add("Add", [OWN, "latin_logits"], "voted")
    graph.add("Mul", ["voted", graph.constant("level_slopes", slopes)], "level_steep")
    graph.add("Add", ["level_steep", graph.constant("level_intercepts", np.where(LEVELLED > 0, intercepts, -1e4).astype(np.float32))], "level_each")
    graph.add("ReduceLogSumExp", ["level_each", "axis1"], "level_together", keepdims=1)
    graph.add("Gather", ["latin_said", graph.constant("level_harm", np.array([0]))], "level_wanted", axis=1)
    graph.add("Sub", ["level_wanted", "level_together"], "level_missing")
    graph.add("Sub", ["level_each", "level_together"], "level_behind")
    graph.add("Mul", ["level_behind", graph.constant("level_fading", np.float32(FADING))], "level_faded")
    graph.add("Exp", ["level_faded"], "level_part")
    graph.add("Mul", ["level_missing", "level_part"], "level_moved")
    graph.add("Mul", ["level_moved", graph.constant("level_share", (LEVEL / slopes).astype(np.float32))], "level_added")
    graph.add("Gather", ["latin_said", graph.constant("malay_place", np.array([MALAY]))], "malay_said", axis=1)
    graph.add("Sigmoid", ["malay_said"], "malay")
    graph.add("Mul", ["malay", graph.constant("malay_moves", malay[None].astype(np.float32))], "malay_added")
    graph.add("Add", ["level_added", "malay_added"], "latin_added")
    graph.add("Mul", ["latin_added", "latin"], "latin_moved")
    graph.add("Add", ["voted", "latin_moved"], "logits")
    proto.graph.node.extend(graph.nodes)
    proto.graph.initializer.extend(graph.constants)


def malay_moves(rows, labels, logits, weights):
    """What the logits of each category need to be moved by in Malay, so that one scaling serves it and English."""
    part = of_script(rows, "latin")
    malay = np.array([row["language"] == "ms" for row in rows])[part]
    found = np.zeros(len(CATEGORIES))
    for column in range(len(CATEGORIES)):
        known = labels[part, column] >= 0
        truth = labels[part, column][known]
        if (truth == 1).sum() >= FEWEST:
            # Twice: as freely moved as the slope.
            both = np.stack([logits[part, column], 2.0 * malay], 1)[known]
            fit = LogisticRegression(C=1.0).fit(both, truth, sample_weight=weights[part][known])
            found[column] = 2 * fit.coef_[0, 1] / fit.coef_[0, 0]
    return found


def crossed_harm(bags, rows, weights, base, strangers, judged):
    """The vote on any harm of the judged rows, of those of strangers from fits that never saw them; and the fit on all."""
    fitted = fit_harm(bags, rows, weights, [*base, *strangers], SEED)
    votes = bags[judged] @ fitted[0] + fitted[1]
    place = {row: at for at, row in enumerate(judged)}
    for rest, tested in folds(strangers, SEED):
        table, bias = fit_harm(bags, rows, weights, [*base, *rest], SEED)
        votes[[place[row] for row in tested]] = bags[tested] @ table + bias
    return votes, fitted


def chosen_thresholds(proto, judged, scores, harsh, blocks, calibration):
    """Thresholds by the judged rows and everyday sentences that sound harsh, which the vote alone has learnt."""
    rows = [*judged, *harsh]
    scores = np.vstack([scores, apply(calibration, harsh, answers(proto, blocks, "logits"))])
    return choose_thresholds(np.array([row["labels"] for row in rows]), scores, hard_weights(rows))


def corrected(proto, rows, blocks, calibration, thresholds):
    """Figures on the held-back seeds of the corrections, which set neither calibration nor thresholds."""
    places = [i for i, row in enumerate(rows) if row["held"] and row["source"] in CORRECTING]
    kept = [rows[i] for i in places]
    scores = apply(calibration, kept, answers(proto, [blocks[i] for i in places], "logits"))
    return evaluated(kept, scores, thresholds)["any_harm"]


def openai_logits(path):
    halves = np.load(path)
    return halves["wide"] + halves["deep"]


def fold(pack, rows, blocks, crossed):
    """Writes the pack's graph, manifest and figures anew; the figures are returned."""
    proto = own_graph(pack / "model.onnx")
    openai = [i for i, row in enumerate(rows) if row["source"] == "openai"]
    read = [i for i, row in enumerate(rows) if row["source"] == "openai-read"]
    written = [i for i, row in enumerate(rows) if row["source"] == "written"]
    held = [i for i, row in enumerate(rows) if row["held"] and row["source"] not in CORRECTING]
    judged_rows = [*held, *openai, *written]
    judged = [rows[i] for i in judged_rows]
    truth = np.array([row["labels"] for row in judged])
    weights = np.array([weight(row) for row in rows])
    bags = wide.matrix(blocks)
    said = answers(proto, [blocks[i] for i in [*held, *written]], OWN)
    own = np.concatenate([said[: len(held)], crossed, said[len(held) :]])
    share = latin([blocks[i] for i in judged_rows])[:, None]
    mix = mixing()

    # The correction starts from what is said without its rows, or it would see them already learnt.
    votes, plain = crossed_harm(bags, rows, weights, [*learns(rows, correcting=False), *read], openai, judged_rows)
    before = fit_scripts(judged, truth, own + votes[:, None] * share * mix[0], source_weights(judged, 700))
    chosen = correction_rows(rows, SEED)
    column = CATEGORIES.index(CORRECTED)
    said = answers(proto, [blocks[i] for i in chosen], OWN)[:, column] + mix[0, column] * (bags[chosen] @ plain[0] + plain[1])
    scaling = before["latin"][CORRECTED]
    correction = fit_correction(bags, rows, weights, chosen, said, scaling["slope"], scaling["intercept"])

    votes, harm = crossed_harm(bags, rows, weights, [*learns(rows, correcting=True), *read], [*openai, *written], judged_rows)
    malay = fit_malay(bags, rows, SEED)
    both = np.stack([votes, bags[judged_rows] @ correction], 1)
    logits = own + share * (both @ mix)
    spread = source_weights(judged, 700)
    scaling = fit_scripts(judged, truth, logits, spread)["latin"]
    logits = levelled(logits, votes, share, scaling)
    moves = malay_moves(judged, truth, logits, spread)
    logits += share * sigmoid(bags[judged_rows] @ malay[0] + malay[1])[:, None] * moves
    calibration = fit_scripts(judged, truth, logits, spread)
    scores = apply(calibration, judged, logits)
    add_votes(proto, np.stack([harm[0], correction, malay[0]], 1), np.array([harm[1], 0.0, malay[1]]), scaling, moves)
    onnx.checker.check_model(proto, full_check=True)
    onnx.save(proto, str(pack / "model.onnx"))
    harsh = [i for i, row in enumerate(rows) if row["source"] == "harsh" and row["language"] != "zh" and not row["held"]]
    thresholds = chosen_thresholds(proto, judged, scores, [rows[i] for i in harsh], [blocks[i] for i in harsh], calibration)
    manifest = json.loads((pack / "manifest.json").read_text(encoding="utf-8"))
    manifest["classifier"].update(calibration=calibration, thresholds=thresholds)
    (pack / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    figures = json.loads((pack / "figures.json").read_text(encoding="utf-8"))
    # The floor knows nothing of these sources, so the figures by category are without them.
    newer = np.array([row["source"] in NEWER for row in judged])
    figures["starter"] = evaluated([row for row in judged if row["source"] not in NEWER], scores[~newer], thresholds)
    figures["starter"]["any_harm"].update(evaluated([row for row in judged if row["source"] in NEWER], scores[newer], thresholds)["any_harm"])
    figures["starter"]["any_harm"].update(corrected(proto, rows, blocks, calibration, thresholds))
    (pack / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--pack", required=True, type=Path)
    parser.add_argument("--logits", required=True, type=Path)
    options = parser.parse_args()
    rows = corpus(options.data, seed=SEED)
    figures = fold(options.pack, rows, featurize([row["text"] for row in rows]), openai_logits(options.logits))
    print(json.dumps(figures["starter"]["any_harm"], indent=1))
    print("Now: node models/packs/list-files.mjs shield-starter")


if __name__ == "__main__":
    main()
