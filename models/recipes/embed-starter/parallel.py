"""Aligned text in English, Malay and Chinese from packages under permissive terms: Chromium's interface strings, CLDR names, Tatoeba."""

import re
import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LANGUAGES = ("en", "ms", "zh")
PLACEHOLDER = re.compile(r"\$\d+|\{[^{}]*\}|<[^>]*>|&\w+;|\\n|\n")


def _read_pak(path):
    """Chromium data pack, version 5: header, then (id, offset) pairs."""
    data = Path(path).read_bytes()
    count = struct.unpack_from("<H", data, 8)[0]
    entries = [struct.unpack_from("<HI", data, 12 + 6 * i) for i in range(count + 1)]
    return {entries[i][0]: data[entries[i][1] : entries[i + 1][1]].decode("utf-8", "replace") for i in range(count)}


def chromium_triples(folder):
    packs = [_read_pak(Path(folder) / f"{name}.pak") for name in ("en-GB", "ms", "zh-CN")]
    triples = set()
    for key in sorted(set(packs[0]) & set(packs[1]) & set(packs[2])):
        if any("plural" in pack[key] or "select," in pack[key] for pack in packs):
            continue
        texts = [PLACEHOLDER.sub(" ", pack[key]).replace("&", "").strip() for pack in packs]
        texts = [re.sub(r"\s+", " ", text) for text in texts]
        if all(2 < len(text) < 600 for text in texts) and texts[0] != texts[2] and re.search(r"[a-z]{3}", texts[0].lower()):
            triples.add(tuple(texts))
    return sorted(triples)


def _cldr_names(path, tag_names):
    names = {}
    root = ElementTree.parse(path).getroot()
    for element in root.iter():
        kind = element.get("type")
        if element.tag in tag_names and kind and element.text and element.get("alt") is None and "↑" not in element.text:
            names.setdefault((element.tag, kind), element.text.strip())
    return names


def cldr_triples(folder):
    """Names of territories, languages, scripts, subdivisions and units."""
    triples = []
    for sub, tags in (("main", {"territory", "language", "script"}), ("subdivisions", {"subdivision"})):
        tables = [_cldr_names(Path(folder) / sub / f"{language}.xml", tags) for language in LANGUAGES]
        for key in tables[0]:
            names = tuple(table.get(key, "") for table in tables)
            if names[2] or names[1] not in ("", names[0]):
                triples.append(names)
    return triples


def cldr_annotations(folder):
    """(emoji, {language: [keywords]}): what each emoji is called and stands for."""
    merged = {}
    for language in LANGUAGES:
        root = ElementTree.parse(Path(folder) / "annotations" / f"{language}.xml").getroot()
        for element in root.iter("annotation"):
            words = [word.strip() for word in (element.text or "").split("|")]
            entry = merged.setdefault(element.get("cp"), {})
            entry[language] = list(dict.fromkeys(entry.get(language, []) + words))
    return sorted(merged.items())


def tatoeba_pairs(folder, part):
    """Pairs (language, english, other). `part` is 'train' (first 600 of each file) or 'dev' (the rest)."""
    pairs = []
    for language in ("ms", "zh"):
        rows = [line.split("\t") for line in (Path(folder) / f"en-{language}.tsv").read_text("utf-8").splitlines()[1:]]
        rows = rows[:600] if part == "train" else rows[600:]
        pairs += [(language, row[0], row[1]) for row in rows if len(row) == 2]
    return pairs
