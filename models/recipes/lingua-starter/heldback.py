"""Writes what training never saw, for the bench: conversations in held-back phrasings, and running text by language."""

import argparse
import itertools
import json
from collections import Counter
from pathlib import Path

import build
import natural
from tasks.mixture import examples

EACH = {"extract": 60, "extract_list": 20, "passage": 60, "tools": 60, "no_tool": 12, "classify": 24, "table": 24, "count": 9, "sort": 15, "arithmetic": 15, "units": 6, "dates": 6, "rewrite": 18, "select": 12, "summarise": 9, "refusal": 12}
PARAGRAPHS = 60


def conversations(seed):
    """The first turn of so many of each task and language."""
    counts = Counter()
    for example in itertools.islice(examples(seed, "held"), 60_000):
        key = (example.task, example.language)
        roles = [message["role"] for message in example.messages]
        single = roles in (["user", "assistant"], ["system", "user", "assistant"])
        if not single or counts[key] >= EACH.get(example.task, 0) / 3:
            continue
        counts[key] += 1
        *messages, last = example.messages
        calls = [call["function"] for call in last.get("tool_calls", [])]
        yield {
            "task": example.task, "language": example.language, "messages": messages, "answer": calls or last["content"],
            **({"tools": example.tools} if example.tools else {}), **({"schema": example.schema} if example.schema else {}),
        }


def paragraphs(packages, held):
    """Held-back running text by language. Chromium's strings are all there is in Malay and Chinese."""
    made = {"en": [], "ms": [], "zh": []}
    for text in held:
        made[natural.language_of(text)].append(text)
    return {language: texts[:PARAGRAPHS] for language, texts in made.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shape", default="starter")
    parser.add_argument("--bench", type=Path, default=build.HERE.parents[2] / "test/bench/chat-quality")
    arguments = parser.parse_args()
    _, _, _, held = build.prepare(arguments)
    arguments.bench.mkdir(exist_ok=True)
    rows = sorted(conversations(build.SEED + 1000), key=lambda row: (row["task"], row["language"]))
    (arguments.bench / "held-back.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    (arguments.bench / "paragraphs.json").write_text(json.dumps(paragraphs(arguments.packages, held), ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
