"""Conversations as lines of JSON, for the reader's recipe: python dump.py OUT COUNT --packages PACKAGES --shared SHARED"""

import argparse
import itertools
import json
import tempfile
from pathlib import Path

from tasks import values
from tasks.mixture import families


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        values.gather_wordnets(arguments.packages, arguments.shared, Path(folder))
        with arguments.out.open("w") as file:
            for each in itertools.islice(itertools.chain.from_iterable(families(arguments.seed)), arguments.count):
                row = {"task": each.task, "language": each.language, "messages": each.messages, "tools": each.tools, "schema": each.schema}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
