"""Running text under permissive terms: definitions and examples of WordNet, Chromium's strings in three languages, the
Apache HTTP Server's and Python's documentation, Tatoeba sentences, self-instruct's instructions."""

import html
import json
import random
import re
import struct
from pathlib import Path


def wordnet(folder):
    for name in ("data.noun", "data.verb", "data.adj", "data.adv"):
        for line in (folder / "wordnet-base/usr/share/wordnet" / name).read_text("utf-8", "replace").splitlines():
            if line.startswith("  ") or "|" not in line:
                continue
            head, gloss = line.split("|", 1)
            lemma = head.split(" ")[4].replace("_", " ")
            yield f"{lemma}: {gloss.strip()}"


def _pak(path):
    """Chromium data pack, version 5: header, then (id, offset) pairs."""
    data = path.read_bytes()
    count = struct.unpack_from("<H", data, 8)[0]
    entries = [struct.unpack_from("<HI", data, 12 + 6 * i) for i in range(count + 1)]
    return {entries[i][0]: data[entries[i][1] : entries[i + 1][1]].decode("utf-8", "replace") for i in range(count)}


def chromium(folder):
    """The three languages of a string behind one another."""
    packs = [_pak(folder / f"chromium-l10n/usr/lib/chromium/locales/{name}.pak") for name in ("en-GB", "ms", "zh-CN")]
    for key in sorted(set(packs[0]) & set(packs[1]) & set(packs[2])):
        texts = [re.sub(r"\s+", " ", re.sub(r"\$\d+|<[^>]*>", "", pack[key]).replace("&", "")).strip() for pack in packs]
        if all(12 < len(text) < 500 and "{" not in text for text in texts):
            yield from texts[1:] if len(texts[0]) % 2 else texts


def _paragraphs(page):
    for paragraph in re.findall(r"<p[^>]*>(.*?)</p>", page, re.S):
        text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", paragraph))).strip()
        if 80 < len(text) < 900 and text.endswith("."):
            yield text


def manuals(folder):
    pages = sorted(folder.glob("apache2-doc/**/*.html.en")) + sorted(folder.glob("apache2-doc/**/en/**/*.html")) + sorted(folder.glob("python3.11-doc/**/*.html"))
    for page in pages:
        yield from _paragraphs(page.read_text("utf-8", "replace"))


def tatoeba(shared):
    for path in sorted((shared / "emb-tatoeba-en-ms-zh").glob("*.tsv")):
        for line in path.read_text("utf-8").splitlines()[1:601]:
            yield from (cell for cell in line.split("\t") if len(cell) > 3 and not cell.isdigit())


def instructions(shared):
    for line in (shared / "chat-self-instruct/seed_tasks.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        for instance in row["instances"]:
            yield f"{row['instruction']} {instance['input']}\n{instance['output']}"


def project(root):
    for path in [root / "README.md", *sorted((root / "server").glob("**/README.md"))]:
        for paragraph in path.read_text("utf-8").split("\n\n"):
            if 80 < len(paragraph) < 900 and "|" not in paragraph and "```" not in paragraph:
                yield re.sub(r"\s+", " ", paragraph)


def language_of(text):
    if any("\u4e00" <= letter <= "\u9fff" for letter in text):
        return "zh"
    return "ms" if {"anda", "untuk", "yang", "dan", "ini", "dengan", "tidak", "saya", "dia", "itu", "ada"} & set(text.lower().split()) else "en"


def texts(packages, shared, root, seed):
    """Shuffled documents of a few paragraphs each, by language; a fixed part of them is for perplexity alone.
    Returns (for training, held back)."""
    packages, shared, root = Path(packages), Path(shared), Path(root)
    rng = random.Random(seed)
    lines = [*wordnet(packages), *chromium(packages), *chromium(packages), *manuals(packages), *tatoeba(shared), *instructions(shared), *project(root)]
    unique = list(dict.fromkeys(lines))
    rng.shuffle(unique)
    return unique[1500:], unique[:1500]
