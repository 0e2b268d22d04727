"""Starting vectors: every fact about a word gets a random direction, a word is the weighted sum of its facts.

Random indexing keeps all pairwise similarities up to 1/sqrt(1024), so words of three languages that share a synset start out close,
while words without a shared fact start out orthogonal. Training then bends this space."""

import math
import re

import numpy as np

from matrices import Triples, row_normalized, unit
from related_forms import related_forms
from vocabulary import HAN, MARK

DIMENSIONS = 1024


def gaussian(count, seed):
    return np.random.default_rng(seed).standard_normal((count, DIMENSIONS), dtype=np.float32) / math.sqrt(DIMENSIONS)


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


def starting_vectors(corpora, encoder, vocabulary, weights, options):
    items = concepts(corpora)
    senses, members = lemma_matrices(items, encoder, vocabulary)
    senses = row_normalized(senses, options["sense_power"])
    members, glosses, parents = row_normalized(members), row_normalized(gloss_matrix(items, encoder, weights)), row_normalized(link_matrix(items, 2))
    related = row_normalized(link_matrix(items, 5))
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
