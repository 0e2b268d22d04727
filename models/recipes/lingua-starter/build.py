"""Rebuilds the lingua starter: python build.py --packages PACKAGES --shared SHARED --out OUT [--shape starter] [--minutes 65]"""

import argparse
import itertools
import json
import random
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import natural  # noqa: E402
import tokens  # noqa: E402
from data import pools  # noqa: E402
from export import write_folder  # noqa: E402
from model import SHAPES  # noqa: E402
from rendering import render  # noqa: E402
from tasks import values  # noqa: E402
from tasks.mixture import examples  # noqa: E402
from train import train  # noqa: E402

SEED = 6


def prepare(arguments):
    """Word lists, natural text and the tokenizer; what exists is taken."""
    wordnets = arguments.out / "wordnets"
    wordnets.mkdir(parents=True, exist_ok=True)
    for source in (*(arguments.shared / "emb-omw-wordnets").glob("*.tsv.gz"), arguments.packages / "wordnet-base/usr/share/wordnet/index.noun"):
        shutil.copy(source, wordnets)
    values.open_wordnets(wordnets)
    text, held = natural.texts(arguments.packages, arguments.shared, HERE.parents[2], SEED)
    values.prose.extend(line for line in text[:6000] if line.endswith(".") and 40 < len(line) < 250)
    shape = SHAPES[arguments.shape]
    path = arguments.out / "tokenizer.json"
    if not path.exists():
        conversations = [render(example) for example in itertools.islice(examples(SEED + 1), 25_000)]
        tokens.train(conversations + text[:20_000], shape.vocab).save(str(path))
    return shape, tokens.Tokenizer.from_file(str(path)), text, held


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shape", choices=SHAPES, default="starter")
    parser.add_argument("--minutes", type=float, default=65)
    parser.add_argument("--batch", type=int, default=8192, help="tokens")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=SEED, help="of weights and conversations")
    parser.add_argument("--resume", type=Path, help="weights to go on from")
    parser.add_argument("--natural", type=float, default=0.02, help="share of running text")
    parser.add_argument("--drills", type=float, default=0.1, help="share of drills")
    arguments = parser.parse_args()
    shape, tokenizer, text, _ = prepare(arguments)
    rng = random.Random(arguments.seed)
    source = pools(tokenizer, examples(arguments.seed), text, rng, {"natural": arguments.natural, "drills": arguments.drills, "range": (300, shape.vocab)})
    figures = train(source, shape, tokens.sharing(tokenizer), arguments.out, seconds=60 * arguments.minutes, tokens=arguments.batch, threads=arguments.threads, seed=arguments.seed, device=arguments.device, resume=arguments.resume, rng=rng)
    write_folder(arguments.out, shape, tokenizer)
    (arguments.out / "training.json").write_text(json.dumps({"shape": shape.to_dict(), **figures}, indent=2) + "\n")


if __name__ == "__main__":
    main()
