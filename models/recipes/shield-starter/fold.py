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

import wide
from calibration import apply, choose_thresholds, fit_scripts, hard_weights, source_weights
from corpus import CORRECTING, corpus, weight
from export import Graph
from features import featurize
from metrics import evaluated, folds
from model import CATEGORIES
from shared import CORRECTED, LATIN_SLOT, correction_rows, fit_correction, fit_harm, latin, learns, mixing

SEED = 7
OWN = "own_logits"


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


def add_votes(proto, table, bias):
    """own_logits → logits: the votes by the share of Latin words."""
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
    graph.add("MatMul", ["latin_gated", graph.constant("latin_mixing", mixing())], "latin_logits")
    graph.add("Add", [OWN, "latin_logits"], "logits")
    proto.graph.node.extend(graph.nodes)
    proto.graph.initializer.extend(graph.constants)


def crossed_harm(bags, rows, weights, base, openai, read, judged):
    """The vote on any harm of the judged rows, of the OpenAI rows from fits that never saw them; and the fit on all."""
    fitted = fit_harm(bags, rows, weights, [*base, *openai, *read], SEED)
    votes = bags[judged] @ fitted[0] + fitted[1]
    place = {row: at for at, row in enumerate(judged)}
    for rest, tested in folds(openai, SEED):
        table, bias = fit_harm(bags, rows, weights, [*base, *rest, *read], SEED)
        votes[[place[row] for row in tested]] = bags[tested] @ table + bias
    return votes, fitted


def corrected(proto, rows, blocks, calibration, thresholds):
    """Figures on the held-back seeds of the corrections, which set neither calibration nor thresholds."""
    places = [i for i, row in enumerate(rows) if row["held"] and row["source"] in CORRECTING]
    kept = [rows[i] for i in places]
    scores = apply(calibration, kept, answers(proto, [blocks[i] for i in places], "logits"))
    return evaluated(kept, scores, thresholds)["any_harm"]


def fold(pack, rows, blocks, openai_logits):
    """Writes the pack's graph, manifest and figures anew; the figures are returned."""
    proto = own_graph(pack / "model.onnx")
    openai = [i for i, row in enumerate(rows) if row["source"] == "openai"]
    read = [i for i, row in enumerate(rows) if row["source"] == "openai-read"]
    held = [i for i, row in enumerate(rows) if row["held"] and row["source"] not in CORRECTING]
    judged_rows = [*held, *openai]
    judged = [rows[i] for i in judged_rows]
    truth = np.array([row["labels"] for row in judged])
    weights = np.array([weight(row) for row in rows])
    bags = wide.matrix(blocks)
    own = np.concatenate([answers(proto, [blocks[i] for i in held], OWN), openai_logits])
    share = latin([blocks[i] for i in judged_rows])[:, None]
    mix = mixing()

    # The correction starts from what is said without its rows, or it would see them already learnt.
    votes, plain = crossed_harm(bags, rows, weights, learns(rows, correcting=False), openai, read, judged_rows)
    before = fit_scripts(judged, truth, own + votes[:, None] * share * mix[0], source_weights(judged, 700))
    chosen = correction_rows(rows, SEED)
    column = CATEGORIES.index(CORRECTED)
    said = answers(proto, [blocks[i] for i in chosen], OWN)[:, column] + mix[0, column] * (bags[chosen] @ plain[0] + plain[1])
    scaling = before["latin"][CORRECTED]
    correction = fit_correction(bags, rows, weights, chosen, said, scaling["slope"], scaling["intercept"])

    votes, harm = crossed_harm(bags, rows, weights, learns(rows, correcting=True), openai, read, judged_rows)
    both = np.stack([votes, bags[judged_rows] @ correction], 1)
    logits = own + share * (both @ mix)
    calibration = fit_scripts(judged, truth, logits, source_weights(judged, 700))
    scores = apply(calibration, judged, logits)
    thresholds = choose_thresholds(truth, scores, hard_weights(judged))

    add_votes(proto, np.stack([harm[0], correction], 1), np.array([harm[1], 0.0]))
    onnx.checker.check_model(proto, full_check=True)
    onnx.save(proto, str(pack / "model.onnx"))
    manifest = json.loads((pack / "manifest.json").read_text(encoding="utf-8"))
    manifest["classifier"].update(calibration=calibration, thresholds=thresholds)
    (pack / "manifest.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    figures = json.loads((pack / "figures.json").read_text(encoding="utf-8"))
    figures["starter"] = evaluated(judged, scores, thresholds)
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
    figures = fold(options.pack, rows, featurize([row["text"] for row in rows]), np.load(options.logits)["logits"])
    print(json.dumps(figures["starter"]["any_harm"], indent=1))
    print("Now: node models/packs/list-files.mjs shield-starter")


if __name__ == "__main__":
    main()
