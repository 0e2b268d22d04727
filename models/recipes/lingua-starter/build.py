"""Trains the lingua starter on shards that generate.py writes: python build.py --packages PACKAGES --shared SHARED --out OUT [--minutes 65]"""

import argparse
import itertools
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import natural  # noqa: E402
import tokens  # noqa: E402
from export import write_folder  # noqa: E402
from model import SHAPES  # noqa: E402
from rendering import render  # noqa: E402
from tasks import values  # noqa: E402
from tasks.mixture import examples  # noqa: E402

SEED = 6


def add_sources(parser):
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shape", choices=SHAPES, default="starter")
    parser.add_argument("--seed", type=int, default=SEED, help="of weights and conversations")


def prepare(arguments):
    """Word lists, natural text and the tokenizer; what exists is taken."""
    values.gather_wordnets(arguments.packages, arguments.shared, arguments.out / "wordnets")
    text, held = natural.texts(arguments.packages, arguments.shared, HERE.parents[2], SEED)
    for line in text:
        language = natural.language_of(line)
        values.running.setdefault(language, []).extend([line] if len(line) < 300 else [])
    values.prose.extend(line for line in text[:6000] if line.endswith(".") and 40 < len(line) < 250)
    shape = SHAPES[arguments.shape]
    path = arguments.out / "tokenizer.json"
    if not path.exists():
        conversations = [render(example) for example in itertools.islice(examples(SEED + 1), 25_000)]
        tokens.train(conversations + text[:20_000], shape.vocab).save(str(path))
    return shape, tokens.Tokenizer.from_file(str(path)), text, held


def main():
    from train import train

    parser = argparse.ArgumentParser()
    add_sources(parser)
    parser.add_argument("--minutes", type=float, default=65)
    parser.add_argument("--until", help="HH:MM of today instead")
    parser.add_argument("--batch", type=int, default=8192, help="tokens")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--peak", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, help="weights to begin with; OUT/state.pt goes before them")
    parser.add_argument("--eager", action="store_true", help="do not compile")
    arguments = parser.parse_args()
    shape, path = SHAPES[arguments.shape], arguments.out / "tokenizer.json"
    tokenizer = tokens.Tokenizer.from_file(str(path)) if path.exists() else prepare(arguments)[1]
    until = time.time() + 60 * arguments.minutes
    if arguments.until:
        until = time.mktime((*time.localtime()[:3], *map(int, arguments.until.split(":")), 0, 0, 0, -1))
    write_folder(arguments.out, shape, tokenizer)
    train(arguments.out / "shards", shape, tokens.sharing(tokenizer), arguments.out, until=until, tokens=arguments.batch, threads=arguments.threads, seed=arguments.seed, peak=arguments.peak, device=arguments.device, start=arguments.start, compiled=not arguments.eager)


if __name__ == "__main__":
    main()
