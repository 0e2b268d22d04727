"""Rebuilds the embed-starter pack.

    ./fetch.sh CORPORA && python build.py --corpora CORPORA --shared SHARED --out ../../packs/embed-starter

Seeds are fixed; the result is the same bytes on the same machine and library versions, the same figures elsewhere."""

import argparse
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from corpora import Corpora
from evaluate import evaluate
from export import write_pack
from frequencies import frequencies
from pairs import all_sources
from pooling import embedder, query_weights, starting_weights
from train import Batches, Table, train
from vectors import Encoder, starting_vectors
from vocabulary import build_vocabulary, write_tokenizer

HERE = Path(__file__).parent
SIZES = {"english": 27500, "malay": 12500, "chinese": 21000, "pieces": 5000}
START = {"sense_power": 0.7, "members": 0.8, "gloss": 0.9, "parents": 0.7, "related": 0.5, "topic": 1.3, "topic_reach": 7, "parallel": 0.6, "parallel_half": 8, "surface": 0.8}
TRAIN = {"steps": 1000, "rate": 0.05, "batch": 384, "report_every": 200, "pull": 0.3, "weight_rate": 0.5, "rank_share": 0.15}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="the folder that fetch.sh filled")
    parser.add_argument("--shared", type=Path, default=HERE / "../../../../shared/data", help="development data")
    parser.add_argument("--out", type=Path, default=HERE / "../../packs/embed-starter")
    parser.add_argument("--steps", type=int, default=TRAIN["steps"])
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def main():
    options = arguments()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    corpora = Corpora(options.corpora, options.shared, HERE / "lexicon")
    vocabulary = build_vocabulary(corpora, SIZES)
    options.out.mkdir(parents=True, exist_ok=True)
    write_tokenizer(vocabulary, options.out / "tokenizer.json")
    encoder = Encoder(Tokenizer.from_file(str(options.out / "tokenizer.json")), vocabulary)
    weights = starting_weights(vocabulary, frequencies(corpora, vocabulary))
    table = Table(starting_vectors(corpora, encoder, vocabulary, weights, START), weights, TRAIN)

    def measure(retrieval):
        weights = np.exp(table.log_weights)
        return evaluate(embedder(encoder, table.vectors, weights, query_weights(vocabulary, weights, corpora)), options.shared, HERE / "dev", retrieval)

    print("start", measure(True), flush=True)
    train(table, Batches(all_sources(corpora, 1), encoder, 2), TRAIN | {"steps": options.steps}, lambda step, loss, seconds: print(step, round(loss, 4), round(seconds), measure(False), flush=True))
    figures = measure(True)
    print("end", figures)
    weights = np.exp(table.log_weights)
    write_pack(options.out, vocabulary, encoder.row_map, table.vectors, weights, query_weights(vocabulary, weights, corpora), figures)


if __name__ == "__main__":
    main()
