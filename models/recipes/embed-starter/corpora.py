"""Every source the recipe reads, loaded once. Nothing here is share-alike."""

import csv
import gzip
import json
import re
from collections import Counter
from functools import cached_property
from pathlib import Path

import chinese
import parallel
import wordnet

LATIN = re.compile(r"[a-z]+(?:'[a-z]+)*")


class Corpora:
    """`packages`: what fetch.sh unpacked; `shared`: the development data folder; `lexicon`: the lists written for this recipe."""

    def __init__(self, packages, shared, lexicon):
        self.packages, self.shared, self.lexicon_folder = Path(packages), Path(shared), Path(lexicon)

    @cached_property
    def wordnet(self):
        return wordnet.load_wordnet(self.packages / "wordnet-base/usr/share/wordnet", self.shared / "emb-omw-wordnets")

    @cached_property
    def irregular(self):
        return wordnet.read_exceptions(self.packages / "wordnet-base/usr/share/wordnet")

    @cached_property
    def chromium(self):
        return parallel.chromium_triples(self.packages / "chromium-l10n/usr/lib/chromium/locales")

    @cached_property
    def names(self):
        return parallel.cldr_triples(self.packages / "unicode-cldr-core/usr/share/unicode/cldr/common")

    @cached_property
    def emoji(self):
        return parallel.cldr_annotations(self.packages / "unicode-cldr-core/usr/share/unicode/cldr/common")

    @cached_property
    def jieba(self):
        return chinese.word_frequencies(self.packages / "python3-jieba/usr/lib/python3/dist-packages/jieba/dict.txt")

    @cached_property
    def characters(self):
        return chinese.definitions(self.packages / "unicode-data/usr/share/unicode")

    @cached_property
    def traditional(self):
        return chinese.traditional_variants(self.packages / "unicode-data/usr/share/unicode")

    @cached_property
    def tatoeba(self):
        return parallel.tatoeba_pairs(self.shared / "emb-tatoeba-en-ms-zh", "train")

    @cached_property
    def lexicon(self):
        """Rows of ([english], [malay], [chinese]) from lexicon/*.tsv, fields split by '|', alternatives by '/'."""
        rows = []
        for path in sorted(self.lexicon_folder.glob("words-*.txt")):
            for line in path.read_text("utf-8").splitlines():
                fields = line.strip().split("|")
                if len(fields) == 3 and not line.startswith("#"):
                    rows.append(tuple([part.strip().lower() for part in cell.split("/") if part.strip()] for cell in fields))
        return rows

    @cached_property
    def known_chinese(self):
        """Chinese words that a dictionary explains."""
        synsets, _, _ = self.wordnet
        words = {lemma for synset in synsets.values() for lemma in synset.lemmas["zh"]}
        return words | {phrase for row in self.lexicon for phrase in row[2]} | set(self.characters)

    @cached_property
    def topics(self):
        """Lexicon rows in the order written: neighbours in a file belong to one topic. None separates files."""
        rows = []
        for path in sorted(self.lexicon_folder.glob("words-*.txt")):
            if "function" not in path.name:
                lines = [line.strip().split("|") for line in path.read_text("utf-8").splitlines()]
                rows += [tuple([part.strip().lower() for part in cell.split("/") if part.strip()] for cell in line) for line in lines if len(line) == 3]
                rows += [None] * 20
        return rows

    def _word_list(self, name):
        lines = (self.lexicon_folder / name).read_text("utf-8").splitlines()
        return {word for line in lines if not line.startswith("#") for word in line.split()}

    @cached_property
    def light_words(self):
        return self._word_list("light.txt")

    @cached_property
    def asking_words(self):
        return self._word_list("asking.txt")

    @cached_property
    def function_words(self):
        """English cells of the list of function words."""
        rows = []
        for line in (self.lexicon_folder / "words-1-function.txt").read_text("utf-8").splitlines():
            if line.count("|") == 2 and not line.startswith("#"):
                rows.append([word.strip() for word in line.split("|")[0].split("/")])
        return rows

    @cached_property
    def instructions(self):
        texts = []
        for name in ("seed_tasks.jsonl", "user_oriented_instructions.jsonl"):
            for line in (self.shared / "chat-self-instruct" / name).read_text("utf-8").splitlines():
                row = json.loads(line)
                texts.append(row.get("instruction", ""))
                texts += [instance.get("input", "") + " " + instance.get("output", "") for instance in row.get("instances", [])]
        return texts

    @cached_property
    def chinese_posts(self):
        """Short Chinese posts, as plain text: only their words meet, no label is read."""
        rows = csv.reader(gzip.open(self.shared / "moderation-cold-zh/train.csv.gz", "rt", encoding="utf-8"))
        header = next(rows)
        column = next(i for i, name in enumerate(header) if name.lower() == "text")
        return [row[column] for row in rows if len(row) > column and len(row[column]) > 15]

    @cached_property
    def english_counts(self):
        synsets, counts, _ = self.wordnet
        table = Counter()
        for synset in synsets.values():
            table.update(LATIN.findall(synset.definition.lower()))
            for example in synset.examples:
                table.update(LATIN.findall(example.lower()) * 2)
        for texts in ([row[0] for row in self.chromium], self.instructions, [row[1] for row in self.tatoeba]):
            for text in texts:
                table.update(LATIN.findall(text.lower().replace("’", "'")))
        for (lemma, _), count in counts.items():
            if " " not in lemma:
                table[lemma] += int(count)
        return table

    @cached_property
    def malay_counts(self):
        table = Counter()
        texts = [row[1] for row in self.chromium] + [row[2] for row in self.tatoeba if row[0] == "ms"]
        for text in texts:
            table.update(LATIN.findall(text.lower()))
        return table
