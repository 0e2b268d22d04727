"""Princeton WordNet 3.0 (Debian `wordnet-base`) and the wordnets keyed by its synsets: Wordnet Bahasa and Chinese Open Wordnet."""

import gzip
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

POS_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# Parts, wholes, members, topics, entailments, attributes: what a word brings to mind without meaning it.
RELATED = ("%p", "#p", "%m", "#m", "%s", "#s", ";c", "-c", "*", ">", "=", "^", "$", "!")


@dataclass
class Synset:
    key: str
    definition: str
    examples: list
    hypernyms: list
    similar: list
    related: list
    count: float = 0.0
    lemmas: dict = field(default_factory=lambda: {"en": [], "ms": [], "zh": []})


def _parse_line(line, pos):
    data, _, gloss = line.partition(" | ")
    parts = data.split()
    count = int(parts[3], 16)
    lemmas = [re.sub(r"\(\w+\)$", "", parts[4 + 2 * i]).replace("_", " ").lower() for i in range(count)]
    cursor = 4 + 2 * count
    links = defaultdict(list)
    for i in range(int(parts[cursor])):
        symbol, offset, target_pos, _ = parts[cursor + 1 + 4 * i : cursor + 5 + 4 * i]
        links[symbol].append(f"{offset}-{'a' if target_pos == 's' else target_pos}")
    examples = re.findall(r'"([^"]+)"', gloss)
    definition = re.sub(r';?\s*"[^"]*".*$', "", gloss).strip(" ;\n")
    related = [key for symbol in RELATED for key in links[symbol]]
    synset = Synset(f"{parts[0]}-{pos}", definition, examples, links["@"] + links["@i"], links["&"] + links["+"], related)
    synset.lemmas["en"] = list(dict.fromkeys(lemmas))
    return synset


def read_princeton(folder):
    """Synsets by key, and how often each (lemma, synset) was tagged in running text."""
    synsets = {}
    for pos, name in POS_FILES.items():
        for line in (folder / f"data.{name}").read_text("latin-1").splitlines():
            if not line.startswith("  "):
                synset = _parse_line(line, pos)
                synsets[synset.key] = synset
    return synsets


def read_sense_counts(folder):
    """(lemma, synset key) -> tagged count, from cntlist.rev joined with the index files' sense order."""
    order = {}
    for pos, name in POS_FILES.items():
        for line in (folder / f"index.{name}").read_text("latin-1").splitlines():
            if line.startswith("  "):
                continue
            parts = line.split()
            total = int(parts[2])
            for rank, offset in enumerate(parts[-total:], 1):
                order[(parts[0], pos, rank)] = f"{offset}-{pos}"
    counts = defaultdict(float)
    for line in (folder / "cntlist.rev").read_text("latin-1").splitlines():
        sense, rank, count = line.split()
        lemma, _, rest = sense.partition("%")
        pos = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}[rest[0]]
        key = order.get((lemma, pos, int(rank)))
        if key:
            counts[(lemma.replace("_", " "), key)] += int(count)
    return counts, order


def read_exceptions(folder):
    """Irregular English forms -> lemma (went -> go)."""
    forms = {}
    for name in POS_FILES.values():
        for line in (folder / f"{name}.exc").read_text("latin-1").splitlines():
            form, *lemmas = line.replace("_", " ").lower().split()
            if " " not in form and lemmas:
                forms.setdefault(form, lemmas[0])
    return forms


def add_other_languages(synsets, folder):
    files = [("ms", "ms-wordnet-bahasa.tsv.gz"), ("zh", "zh-chinese-open-wordnet.tsv.gz"), ("en", "en-cldr.tsv"), ("ms", "ms-cldr.tsv"), ("zh", "zh-cldr.tsv")]
    for language, name in files:
        path = Path(folder) / name
        data = gzip.open(path, "rt", encoding="utf-8").read() if name.endswith(".gz") else path.read_text("utf-8")
        for line in data.splitlines():
            parts = line.split("\t")
            if len(parts) != 3 or not parts[1].endswith(":lemma"):
                continue
            synset = synsets.get(parts[0].replace("-s", "-a"))
            lemma = parts[2].replace("_", " ").replace("+", "").strip().lower()
            if synset is not None and lemma and lemma not in synset.lemmas[language]:
                synset.lemmas[language].append(lemma)


def load_wordnet(princeton, omw):
    synsets = read_princeton(princeton)
    counts, order = read_sense_counts(princeton)
    for (lemma, key), count in counts.items():
        if key in synsets:
            synsets[key].count += count
    add_other_languages(synsets, omw)
    ranks = {}
    for (lemma, _, rank), key in order.items():
        ranks[(lemma.replace("_", " "), key)] = rank
    return synsets, counts, ranks
