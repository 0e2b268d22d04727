"""Starting vectors: every fact about a word gets a random direction, a word is the weighted sum of its facts.

Random indexing keeps all pairwise similarities up to 1/sqrt(1024), so words of three languages that share a synset start out close,
while words without a shared fact start out orthogonal. Training then bends this space."""

import math
import re
from collections import defaultdict

import numpy as np
import scipy.sparse as sparse

from morphology import british_american, english_forms, malay_roots
from vocabulary import HAN, MARK

DIMENSIONS = 1024
LATIN = re.compile(r"[a-z]+(?:'[a-z]+)*")


def unit(matrix):
    return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-6)


def gaussian(count, seed):
    return np.random.default_rng(seed).standard_normal((count, DIMENSIONS), dtype=np.float32) / math.sqrt(DIMENSIONS)


class Triples:
    """Collects (row, column, weight) for one sparse matrix."""

    def __init__(self):
        self.rows, self.columns, self.weights = [], [], []

    def add(self, row, column, weight=1.0):
        self.rows.append(row)
        self.columns.append(column)
        self.weights.append(weight)

    def matrix(self, shape):
        return sparse.csr_matrix((np.array(self.weights, np.float32), (self.rows, self.columns)), shape=shape)


class Encoder:
    """Text -> row ids through the real tokenizer and the token -> row map."""

    def __init__(self, tokenizer, vocabulary):
        self.tokenizer = tokenizer
        self.row_map = np.array([row for _, row in vocabulary.tokens.values()], np.int64)
        self.silent = {vocabulary.row_of[name] for name in ("<pad>", "<s>", MARK, "<|query|>", "<unk>")}

    def rows(self, texts):
        encoded = self.tokenizer.encode_batch(texts)
        return [[row for row in self.row_map[item.ids].tolist() if row not in self.silent] for item in encoded]


def concepts(corpora):
    """Synsets and lexicon entries as (lemmas by language, gloss, parent indexes, prior, {lemma: own weight}, related indexes)."""
    synsets, counts, ranks = corpora.wordnet
    index = {key: i for i, key in enumerate(synsets)}
    items = []
    for key, synset in synsets.items():
        own = {lemma: counts.get((lemma, key), 0) + 1.5 / ranks.get((lemma, key), 3) for lemma in synset.lemmas["en"]}
        parents = [index[other] for other in synset.hypernyms[:2] + synset.similar[:4] if other in index]
        related = [index[other] for other in synset.related[:12] if other in index]
        items.append((synset.lemmas, synset.definition, parents, synset.count + 0.5, own, related))
    for char, glosses in corpora.characters.items():
        items.append(({"en": [gloss.lower() for gloss in glosses[:4]], "ms": [], "zh": [char]}, "", [], 1.0, {}, []))
    for english, malay, zh in corpora.lexicon:
        items.append(({"en": english, "ms": malay, "zh": zh}, "", [], 150.0, {lemma: 60.0 for lemma in english}, []))
    return items


def phrase_weight(language, count):
    """Several words or characters for one lemma say less about each of them."""
    return 1.0 if count == 1 else 0.35 / count


def lemma_matrices(items, encoder, vocabulary):
    """(words x concepts) sense weights and (concepts x words) membership."""
    senses, members = Triples(), Triples()
    spans, texts = [], []
    for number, (lemmas, _, _, prior, own, _) in enumerate(items):
        for language in ("en", "ms", "zh"):
            share = 1.0 / max(len(lemmas[language]), 1) ** 0.5
            for lemma in lemmas[language]:
                text = re.sub(r"[的地]$", "", lemma) if language == "zh" and len(lemma) > 2 else lemma
                texts.append(text)
                spans.append((number, language, own.get(lemma, 0.5) if language == "en" else prior * share + 0.3))
    for (number, language, weight), rows in zip(spans, encoder.rows(texts)):
        scale = phrase_weight(language, len(rows)) if rows else 0
        for row in rows:
            senses.add(row, number, weight * scale)
            members.add(number, row, scale * (1.0 if language == "en" else 0.9))
    shape = (len(vocabulary.rows), len(items))
    return senses.matrix(shape), members.matrix(shape[::-1])


def gloss_matrix(items, encoder, weights):
    triples = Triples()
    for number, rows in enumerate(encoder.rows([item[1] for item in items])):
        for row in set(rows):
            triples.add(number, row, weights[row])
    return triples.matrix((len(items), len(weights)))


def link_matrix(items, field):
    triples = Triples()
    for number, item in enumerate(items):
        for parent in item[field]:
            triples.add(number, parent)
    return triples.matrix((len(items), len(items)))


def surface_vectors(vocabulary, seed):
    """Own direction plus letter n-grams or characters: keeps names, cognates and related forms near each other."""
    features, triples = {}, Triples()
    for row, name in enumerate(vocabulary.rows):
        text = name.split(":", 1)[-1] if ":" in name[1:] else name
        triples.add(row, features.setdefault("=" + name, len(features)), 0.75)
        if HAN.fullmatch(text):
            for char in text:
                triples.add(row, features.setdefault(char, len(features)), 0.66 / len(text) ** 0.5)
            continue
        padded = text.replace(MARK, "^") + "$"
        grams = [padded[i : i + size] for size in (3, 4, 5) for i in range(len(padded) - size + 1)]
        for gram in grams:
            triples.add(row, features.setdefault(gram, len(features)), 0.66 / len(grams) ** 0.5)
    matrix = triples.matrix((len(vocabulary.rows), len(features)))
    return unit(matrix @ gaussian(len(features), seed))


def parallel_vectors(groups, encoder, weights, seed):
    """Words that occur in the same aligned segments share directions; returns vectors and each word's segment count."""
    triples = Triples()
    flat = [(number, text) for number, group in enumerate(groups) for text in group if text]
    for (number, _), rows in zip(flat, encoder.rows([text for _, text in flat])):
        for row in set(rows):
            triples.add(row, number, weights[row] / max(len(rows), 2) ** 0.5)
    matrix = triples.matrix((len(weights), len(groups)))
    seen = np.asarray((matrix > 0).sum(axis=1)).ravel()
    return unit(matrix @ gaussian(len(groups), seed)), seen


def topic_vectors(topics, encoder, count, reach):
    """Words written near each other in the lexicon share directions, less with distance; and which rows have any."""
    triples = Triples()
    for number, cells in enumerate(topics):
        if cells is None:
            continue
        for cell in cells:
            for rows in encoder.rows(cell):
                for row in rows:
                    for offset in range(-reach, reach + 1):
                        triples.add(row, number + offset + reach, (1 - abs(offset) / (reach + 1)) / len(rows))
    matrix = triples.matrix((count, len(topics) + 2 * reach))
    present = np.asarray((matrix > 0).sum(axis=1)).ravel() > 0
    return unit(matrix @ gaussian(matrix.shape[1], 14)), present.astype(np.float32)


def row_normalised(matrix, power=1.0):
    matrix = matrix.power(power)
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return sparse.diags(1.0 / np.maximum(norms, 1e-6)).astype(np.float32) @ matrix


def starting_vectors(corpora, encoder, vocabulary, weights, options):
    items = concepts(corpora)
    senses, members = lemma_matrices(items, encoder, vocabulary)
    senses = row_normalised(senses, options["sense_power"])
    members, glosses, parents = row_normalised(members), row_normalised(gloss_matrix(items, encoder, weights)), row_normalised(link_matrix(items, 2))
    related = row_normalised(link_matrix(items, 5))
    topics, topical = topic_vectors(corpora.topics, encoder, len(vocabulary.rows), options["topic_reach"])
    surface = surface_vectors(vocabulary, 11)
    groups = [*corpora.chromium] + [(row[1], row[2]) for row in corpora.tatoeba]
    shared, seen = parallel_vectors(groups, encoder, weights, 12)
    own = gaussian(len(items), 13)
    meaning = own.copy()
    words = surface
    for _ in range(2):
        meaning = unit(own + options["members"] * unit(members @ words) + options["gloss"] * unit(glosses @ words) + options["parents"] * unit(parents @ meaning) + options["related"] * unit(related @ meaning))
        known = unit(senses @ meaning)
        trust = (seen / (seen + options["parallel_half"]))[:, None] * options["parallel"]
        words = unit(options["surface"] * surface + known + trust * shared + options["topic"] * topical[:, None] * topics)
    links = related_forms(corpora, vocabulary)
    return unit(words + links @ words).astype(np.float32)


def related_forms(corpora, vocabulary):
    """(row x row) share of its base that an inflected, respelt, affixed or compound word takes on."""
    triples = Triples()
    synsets, _, _ = corpora.wordnet

    def link(form, base, share):
        first, second = vocabulary.row_of.get(form), vocabulary.row_of.get(base)
        if first is not None and second is not None and first != second:
            triples.add(first, second, share)

    positions = defaultdict(set)
    for synset in synsets.values():
        for lemma in synset.lemmas["en"]:
            positions[lemma].add(synset.key[-1])
    for form, base in corpora.irregular.items():
        link(MARK + form, MARK + base, 0.9)
    for lemma, kinds in positions.items():
        for kind in kinds:
            for form in english_forms(lemma, kind):
                link(MARK + form, MARK + lemma, 0.5 if form in positions else 1.5)
        for other in british_american(lemma):
            link(MARK + lemma, MARK + other, 0.7)
    for name in vocabulary.rows:
        if name.startswith(MARK) and name[1:] not in positions:
            for root in malay_roots(name[1:]):
                link(name, MARK + root, 0.4)
        elif HAN.fullmatch(name) and len(name) > 1 and name not in corpora.known_chinese:
            for part in split_compound(name, corpora.known_chinese):
                link(name, part, 0.8)
    return triples.matrix((len(vocabulary.rows), len(vocabulary.rows)))


def split_compound(word, known):
    """Longest known parts of a Chinese word, left to right."""
    parts, start = [], 0
    while start < len(word):
        end = next((stop for stop in range(len(word), start, -1) if word[start:stop] in known and stop - start < len(word)), start + 1)
        parts.append(word[start:end])
        start = end
    return parts


def frequencies(corpora, encoder, vocabulary):
    """Share of running text each row takes in its own language; Malay counts are lifted by the English ones of shared concepts."""
    table = np.zeros(len(vocabulary.rows))
    english, malay, zh = corpora.english_counts, corpora.malay_counts, corpora.jieba
    for counts in (english, malay, zh):
        total = sum(counts.values())
        share = defaultdict(float)
        for word, count in counts.items():
            token = word if HAN.fullmatch(word) else MARK + word
            if token in vocabulary.tokens:
                share[vocabulary.tokens[token][1]] += count / total
        for row, value in share.items():
            table[row] = max(table[row], value)
    return lift_frequencies(table, corpora, vocabulary)


def lift_frequencies(table, corpora, vocabulary):
    """A translation of a frequent English word is at least about as frequent; light words get a floor of their own."""
    for english, *others in corpora.lexicon:
        known = [table[vocabulary.row_of[MARK + word]] for word in english if MARK + word in vocabulary.row_of]
        for word in (word for cell in others for word in cell):
            row = vocabulary.row_of.get(word, vocabulary.row_of.get(MARK + word))
            if row is not None and known:
                table[row] = max(table[row], 0.7 * max(known))
    for word in corpora.light_words:
        row = vocabulary.row_of.get(word, vocabulary.row_of.get(MARK + word))
        if row is not None:
            table[row] = max(table[row], 4e-3)
    return table
