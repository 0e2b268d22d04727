"""Chinese word frequencies (jieba's dictionary, MIT) and character facts (Unihan)."""

import bz2
import re
from collections import defaultdict
from pathlib import Path


def word_frequencies(path):
    table = {}
    for line in Path(path).read_text("utf-8").splitlines():
        parts = line.split(" ")
        if len(parts) >= 2 and re.fullmatch(r"[一-鿿]+", parts[0]):
            table[parts[0]] = int(parts[1])
    return table


def _unihan(path, field):
    for line in bz2.open(path, "rt", encoding="utf-8"):
        parts = line.rstrip("\n").split("\t")
        if len(parts) == 3 and parts[1] == field:
            yield chr(int(parts[0][2:], 16)), parts[2]


def definitions(folder):
    """Character -> English glosses."""
    return {char: [gloss.strip() for gloss in re.split(r"[;,]", re.sub(r"\([^)]*\)", "", text)) if gloss.strip()] for char, text in _unihan(folder / "Unihan_Readings.txt.bz2", "kDefinition")}


def traditional_variants(folder):
    """Simplified character -> its traditional forms that differ from it."""
    variants = defaultdict(list)
    for char, text in _unihan(folder / "Unihan_Variants.txt.bz2", "kTraditionalVariant"):
        for code in text.split():
            other = chr(int(code[2:], 16))
            if other != char:
                variants[char].append(other)
    return dict(variants)
