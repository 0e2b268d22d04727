"""The seed language: lines of text with [choice|choice] and {slot}; a line `== a b ?c` labels the lines below it."""

import re
from pathlib import Path

SEEDS = Path(__file__).parent / "seeds"
INNERMOST = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
SLOT = re.compile(r"\{(\w+)\}")


def read_slots(language, extra):
    slots = dict(extra)
    for line in (SEEDS / language / "slots.txt").read_text(encoding="utf-8").splitlines():
        if ":" in line:
            name, values = line.split(":", 1)
            slots[name.strip()] = [value.strip() for value in values.split("|")]
    return slots


def expand(template, slots, rng):
    """One random reading of a template."""
    text = template
    for _ in range(20):
        before = text
        text = INNERMOST.sub(lambda found: rng.choice(found.group(1).split("|")), text)
        text = SLOT.sub(lambda found: rng.choice(slots[found.group(1)]), text, count=1)
        if text == before:
            break
    text = re.sub(r"[ \t]{2,}", " ", text).strip()
    return re.sub(r"\s+([.,!?])", r"\1", text)


def readings(template, slots, rng, most):
    """Up to `most` different readings, fewer for a template with little variety."""
    found = {}
    for _ in range(most * 2):
        found.setdefault(expand(template, slots, rng), None)
        if len(found) >= most:
            break
    return list(found)


SPECIAL = ("slots.txt", "actions.txt", "keywords.txt")


def labelled_lines(path):
    """(labels that hold, labels unknown, line) of a file with `==` headings; lines under an `@` heading are left out."""
    positive, unknown, frames = [], [], False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("=="):
            names = line[2:].split()
            unknown = [name[1:] for name in names if name.startswith("?")]
            positive = [name for name in names if not name.startswith("?") and name != "benign"]
            frames = False
        elif line.startswith("@"):
            frames = True
        elif line.strip() and not frames:
            yield positive, unknown, line


def templates(language):
    """(file, labels that hold, labels unknown, line) of all files that hold whole sentences."""
    for path in sorted((SEEDS / language).glob("*.txt")):
        if path.name not in SPECIAL:
            yield from ((path.stem, *line) for line in labelled_lines(path))


def phrases(language, name):
    """The phrases of actions.txt or keywords.txt, ` | ` between them."""
    for positive, unknown, line in labelled_lines(SEEDS / language / f"{name}.txt"):
        for phrase in line.split(" | "):
            yield positive, unknown, phrase.strip()


def frames(language):
    """Sentences around an action {a}: `ask` keeps its meaning, `safe` speaks against it."""
    found, kind = {"ask": [], "safe": []}, None
    for line in (SEEDS / language / "actions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            kind = line[1:].strip()
        elif line.startswith("=="):
            kind = None
        elif kind and line.strip():
            found[kind].append(line)
    return found
