"""Writes server/engine/vision/ocr/words.txt: words by how usual they are in print, for the recognizer's second thoughts.

usage: build.py --packages PACKAGES --shared SHARED --out words.txt    (PACKAGES: lingua-starter/fetch.sh)
"""
import argparse
import collections
import gzip
import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lingua-starter"))
import natural  # noqa: E402

WORD = re.compile(r"(?<![\w'’])[A-Za-z]{2,20}(?![\w'’])")
LEXICON = HERE.parent / "embed-starter/lexicon"
MIN_COUNT = 6  # Of a word that no dictionary lists.


def counted(texts):
    counts = collections.Counter()
    for text in texts:
        # Names and codes begin with or hold capitals; print writes whole lines in them, so case is not kept.
        counts.update(word for word in WORD.findall(text) if word.islower() or word.istitle())
    lower = collections.Counter()
    for word, count in counts.items():
        lower[word.lower()] += count
    return lower


def wordnet_lemmas(folder):
    """Lemmas that occur in texts whose senses WordNet's makers tagged."""
    lemmas = set()
    for name in ("noun", "verb", "adj", "adv"):
        for line in (folder / "wordnet-base/usr/share/wordnet" / f"index.{name}").read_text().splitlines():
            if line.startswith("  "):
                continue
            fields = line.split()
            pointers = int(fields[3])
            if int(fields[5 + pointers]) > 0 and re.fullmatch(r"[a-z]{3,20}", fields[0]):
                lemmas.add(fields[0])
    return lemmas


def inflected(lemma):
    stem = lemma[:-1] if lemma.endswith("e") else lemma
    british = [lemma + "led", lemma + "ling"] if re.search(r"[aeiou]l$", lemma) else []
    plural = lemma + "es" if re.search(r"(?:s|x|z|ch|sh)$", lemma) else lemma[:-1] + "ies" if re.search(r"[^aeiou]y$", lemma) else lemma + "s"
    return [plural, stem + "ed", stem + "ing", *british]


def malay_lemmas(shared):
    with gzip.open(shared / "emb-omw-wordnets/ms-wordnet-bahasa.tsv.gz", "rt", encoding="utf-8") as rows:
        return {cell for row in rows for cell in row.rstrip("\n").split("\t") if re.fullmatch(r"[a-z]{3,16}", cell)}


def main():
    parser = argparse.ArgumentParser()
    for name in ("packages", "shared", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()
    texts = [*natural.wordnet(args.packages), *natural.chromium(args.packages), *natural.manuals(args.packages),
             *natural.tatoeba(args.shared)]
    counts = counted(texts)
    lemmas, malay = wordnet_lemmas(args.packages), malay_lemmas(args.shared)
    listed = lemmas | malay | {form for lemma in lemmas for form in inflected(lemma)}
    own = counted(path.read_text(encoding="utf-8") for path in sorted(LEXICON.glob("*.txt")))
    trade = set((HERE / "trade.txt").read_text().split())
    common = {word for word, count in counts.items() if len(word) > 2 and count >= (3 if word in listed else MIN_COUNT)} - trade
    common |= {form for lemma in lemmas if re.search(r"[aeiou]l$", lemma) and lemma in counts for form in (lemma + "led", lemma + "ling")} - trade
    common |= {word for word in own if len(word) > 2} - trade
    rare = {word for word in lemmas if len(word) > 4} - trade - common
    sections = [" ".join(sorted(words)) for words in (trade, common, rare)]
    args.out.write_text("\n\n".join(textwrap.fill(section, 120) for section in sections) + "\n")
    print(*(len(words) for words in (trade, common, rare)), file=sys.stderr)


if __name__ == "__main__":
    main()
