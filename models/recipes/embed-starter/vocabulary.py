"""Chooses the tokens and the table rows they share, and writes tokenizer.json.

A row is a meaning-bearing lemma; several tokens (inflections, spellings, traditional characters) may point to one row."""

import json
import math
import re
from collections import Counter

from morphology import ENGLISH_SUFFIXES, MALAY_PREFIXES, MALAY_SUFFIXES, british_american, english_forms, nasal_variant

MARK = "▁"
SPECIAL = ["<pad>", "<unk>", "<s>", "<|query|>"]
DOCUMENT = "<|document|>"
HAN = re.compile(r"[㐀-鿿]+")
WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")
SPLIT = r"[㐀-鿿]+|[0-9]+|[a-zß-ɏ]+(?:'[a-z]+)*|[Ͱ-᾿぀-ヿ가-힯]+|\p{S}|[%#@&]"
OTHER_SCRIPTS = [(0x3B1, 0x3CA), (0x430, 0x460), (0x621, 0x64B), (0x660, 0x66A), (0xB85, 0xBBA), (0x3041, 0x3097), (0x30A1, 0x30FB)]


class Vocabulary:
    def __init__(self):
        self.rows, self.row_of = [], {}
        self.tokens = {}

    def add(self, token, score, row=None):
        """Adds a token; `row` names the row it shares (its own when None). The first addition wins."""
        if token in self.tokens:
            return
        name = row or token
        if name not in self.row_of:
            self.row_of[name] = len(self.rows)
            self.rows.append(name)
        self.tokens[token] = (score, self.row_of[name])


def english_words(corpora, limit):
    synsets, counts, _ = corpora.wordnet
    score = Counter()
    positions = {}
    for synset in synsets.values():
        linked = bool(synset.lemmas["zh"]) + bool(synset.lemmas["ms"])
        for lemma in synset.lemmas["en"]:
            if WORD.fullmatch(lemma) and len(lemma) > 1:
                positions.setdefault(lemma, set()).add(synset.key[-1])
                score[lemma] += 0.3 + linked + min(counts.get((lemma, synset.key), 0), 50)
    for word, count in corpora.english_counts.items():
        if count >= 2 or word in score:
            score[word] += 1.5 * count
    return [word for word, _ in score.most_common(limit)], positions


def add_english(vocabulary, corpora, limit):
    words, positions = english_words(corpora, limit)
    lemmas = set(positions)
    for row in corpora.lexicon:
        for phrase in row[0]:
            for word in WORD.findall(phrase):
                vocabulary.add(MARK + word, -10.0)
    for word in words:
        base = corpora.irregular.get(word)
        shared = MARK + base if base in lemmas and word not in lemmas else None
        vocabulary.add(MARK + word, -10.0, shared)
    for word in words[:9000]:
        for pos in sorted(positions.get(word, ())):
            for form in english_forms(word, pos):
                vocabulary.add(MARK + form, -10.0, MARK + word)
        for other in british_american(word):
            if len(word) > 4 and other in lemmas:
                vocabulary.add(MARK + other, -10.0, MARK + word)
    for form, base in corpora.irregular.items():
        if MARK + base in vocabulary.tokens and WORD.fullmatch(form):
            vocabulary.add(MARK + form, -10.0, MARK + base)


def add_malay(vocabulary, corpora, limit):
    synsets, _, _ = corpora.wordnet
    score = Counter()
    for synset in synsets.values():
        for lemma in synset.lemmas["ms"]:
            if WORD.fullmatch(lemma):
                score[lemma] += 1 + min(synset.count, 20) ** 0.5
    for word, count in corpora.malay_counts.items():
        score[word] += 3 * count
    for row in corpora.lexicon:
        for phrase in row[1]:
            for word in WORD.findall(phrase):
                score[word] += 500
    words = [word for word, _ in score.most_common(limit)]
    for word in words:
        vocabulary.add(MARK + word, -10.0)
    for affix in MALAY_PREFIXES:
        vocabulary.add(MARK + affix, -6.0, "affix:" + affix)
    for affix in MALAY_SUFFIXES + ENGLISH_SUFFIXES:
        vocabulary.add(affix, -6.0, "affix:" + affix)
    for root in words[:9000]:
        if 4 <= len(root) <= 9 and "'" not in root:
            vocabulary.add(root, -9.0, MARK + root)
            rest = nasal_variant(root)
            if rest and len(rest) >= 4:
                vocabulary.add(rest, -9.5, MARK + root)


def add_pieces(vocabulary, limit):
    """Letters and frequent n-grams of the words themselves, for names and words outside the vocabulary."""
    grams = Counter()
    words = [token[1:] for token in vocabulary.tokens if token.startswith(MARK)]
    for word in words:
        for size in (2, 3, 4):
            for start in range(len(word) - size + 1):
                gram = word[start : start + size]
                grams[(MARK + gram) if start == 0 else gram] += size - 1
    for gram, count in grams.most_common(limit):
        vocabulary.add(gram, -12.0 - 20.0 / (10 + count) ** 0.5, "piece:" + gram)
    for letter in "abcdefghijklmnopqrstuvwxyz'ßæøđłı0123456789":
        vocabulary.add(letter, -15.0, "piece:" + letter)
        vocabulary.add(MARK + letter, -15.0, "piece:" + MARK + letter)


def add_numbers(vocabulary):
    for number in list(range(0, 1001)) + list(range(1001, 2101)):
        vocabulary.add(MARK + str(number), -10.0)
    for number in range(0, 1000):
        for width in (2, 3):
            if number < 10**width:
                vocabulary.add(str(number).zfill(width), -11.0 - 1.0 / width, "piece:" + str(number).zfill(width))


def chinese_words(corpora, limit):
    synsets, _, _ = corpora.wordnet
    total = sum(corpora.jieba.values())
    score = Counter()
    for synset in synsets.values():
        for lemma in synset.lemmas["zh"]:
            for word in HAN.findall(lemma):
                if len(word) <= 5 and (word in corpora.jieba or len(word) <= 3):
                    score[word] += 30 + corpora.jieba.get(word, 0)
    for word, count in corpora.jieba.items():
        if len(word) <= 4 and count >= 60:
            score[word] += count
    for row in corpora.lexicon:
        for phrase in row[2]:
            score[phrase] += 3000 if HAN.fullmatch(phrase) and len(phrase) <= 7 else 0
    words = [word for word, count in score.most_common(limit) if count]
    characters = {char for word in words for char in word} | {char for word, count in corpora.jieba.items() if count >= 20 for char in word}
    return {word: math.log(max(corpora.jieba.get(word, 0), 3) / total) for word in words}, characters


def add_chinese(vocabulary, corpora, limit):
    words, characters = chinese_words(corpora, limit)
    lexicon = {phrase for row in corpora.lexicon for phrase in row[2] if HAN.fullmatch(phrase)}
    for word, logp in words.items():
        vocabulary.add(word, max(logp, -11.5) if word in lexicon else logp)
    for char in sorted(characters | set(corpora.characters) & set(corpora.traditional)):
        vocabulary.add(char, -16.5)
    for char, variants in corpora.traditional.items():
        for variant in variants:
            if char in vocabulary.tokens:
                vocabulary.add(variant, vocabulary.tokens[char][0], char)
    for word in list(words)[:14000]:
        if len(word) > 1 and any(char in corpora.traditional for char in word):
            vocabulary.add("".join(corpora.traditional.get(char, [char])[0] for char in word), words[word], word)


def build_vocabulary(corpora, sizes):
    vocabulary = Vocabulary()
    for token in [*SPECIAL, MARK]:
        vocabulary.add(token, -6.0 if token == MARK else 0.0)
    add_english(vocabulary, corpora, sizes["english"])
    add_malay(vocabulary, corpora, sizes["malay"])
    add_numbers(vocabulary)
    add_chinese(vocabulary, corpora, sizes["chinese"])
    for cp, _ in corpora.emoji:
        symbol = cp.replace("️", "")
        if len(symbol) == 1 and not symbol.isalnum():
            vocabulary.add(symbol, -9.0)
    for first, last in OTHER_SCRIPTS:
        for code in range(first, last):
            # JavaScript and Rust lower a final capital sigma differently: both forms share a row.
            vocabulary.add(chr(code), -13.0, "σ" if chr(code) == "ς" else None)
    for symbol in "%#@&$€£¥+=<>^|~©®™°→":
        vocabulary.add(symbol, -9.0)
    add_pieces(vocabulary, sizes["pieces"])
    # Last, so that no other token or row moves; silent as the query's mark.
    vocabulary.add(DOCUMENT, 0.0, "<|query|>")
    return vocabulary


def tokenizer_json(vocabulary):
    """The Hugging Face description of the tokenizer: NFKD without accents, lower case, split by script, unigram."""
    special = [{"id": i, "content": token, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True} for i, token in [*enumerate(SPECIAL), (len(vocabulary.tokens) - 1, DOCUMENT)]]
    normalizers = [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}, {"type": "NFKC"}, {"type": "Replace", "pattern": {"String": "’"}, "content": "'"}]
    normalizers.append({"type": "Replace", "pattern": {"Regex": "(?<=[0-9]),(?=[0-9]{3})"}, "content": ""})
    split = {"type": "Split", "pattern": {"Regex": SPLIT}, "behavior": "Removed", "invert": True}
    metaspace = {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": False}
    template = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}], "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}], "special_tokens": {"<s>": {"id": "<s>", "ids": [2], "tokens": ["<s>"]}}}
    vocab = [[token, round(score, 4)] for token, (score, _) in vocabulary.tokens.items()]
    model = {"type": "Unigram", "unk_id": 1, "vocab": vocab, "byte_fallback": False}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": special, "normalizer": {"type": "Sequence", "normalizers": normalizers}, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, metaspace]}, "post_processor": template, "decoder": {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": False}, "model": model}


def write_tokenizer(vocabulary, path):
    path.write_text(json.dumps(tokenizer_json(vocabulary), ensure_ascii=False, separators=(",", ":")), "utf-8")
