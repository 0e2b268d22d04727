"""Training pairs: two texts that mean the same (or a term and its definition), grouped by source so that a batch's own rows are hard negatives."""

import random

from corpora import LATIN
from translator import Translator

LANGUAGES = ("en", "ms", "zh")


def concept_pairs(corpora, rng):
    """Synonyms and translations of a concept, and its terms against its definition."""
    synsets, _, _ = corpora.wordnet
    terms, definitions = [], []
    for synset in synsets.values():
        known = [language for language in LANGUAGES if synset.lemmas[language]]
        repeat = 1 + (synset.count >= 3) + (synset.count >= 30)
        for _ in range(repeat):
            if len(known) > 1:
                first, second = rng.sample(known, 2)
                terms.append((rng.choice(synset.lemmas[first]), rng.choice(synset.lemmas[second])))
            elif len(synset.lemmas["en"]) > 1:
                terms.append(tuple(rng.sample(synset.lemmas["en"], 2)))
            if len(synset.definition) > 12:
                definitions.append((rng.choice(synset.lemmas[rng.choice(known)]), synset.definition))
    return terms, definitions


def lexicon_pairs(corpora, rng, repeat):
    pairs = []
    for cells in corpora.lexicon * repeat:
        known = [cell for cell in cells if cell]
        if len(known) > 1:
            first, second = rng.sample(known, 2)
            pairs.append((rng.choice(first), rng.choice(second)))
    return pairs


def aligned_pairs(groups, rng, repeat):
    pairs = []
    for group in list(groups) * repeat:
        known = [text for text in group if text]
        if len(known) > 1:
            pairs.append(tuple(rng.sample(known, 2)))
    return pairs


def pseudo_translations(corpora, translator, rng):
    """WordNet definitions and examples against their word-by-word translation or an English paraphrase by synonyms."""
    synsets, _, _ = corpora.wordnet
    texts = [synset.definition for synset in synsets.values() if len(synset.definition) > 25]
    texts += [example for synset in synsets.values() for example in synset.examples if len(example) > 12] * 2
    pairs = []
    for text in texts:
        language = rng.choice(("en", "ms", "ms", "zh", "zh", "mix"))
        if language == "mix":
            other = (translator.sentence(text, "ms"), translator.sentence(text, "zh"))
            pairs.append(other)
        else:
            pairs.append((text, translator.sentence(text, language, keep=0.4 if language == "en" else 0.0)))
    return [pair for pair in pairs if all(len(text) > 3 for text in pair)]


SWAP_LOSS = {"synonym": 0.1, "broader": 0.3, "sister": 0.6, "stranger": 1.0, "drop": 0.5}


def swap_words(words, spots, translator, rng):
    """The words with one to three of `spots` swapped, and how much of the meaning went."""
    changed, loss = list(words), 0.0
    for spot in rng.sample(spots, min(len(spots), rng.choice((1, 1, 2, 3)))):
        lemma = translator.lemma(words[spot])
        broader, sisters = translator.siblings[lemma]
        kind = rng.choice(list(SWAP_LOSS))
        options = {"synonym": [translator.word(lemma, "en") or lemma], "broader": broader, "sister": sisters or broader, "stranger": [rng.choice(translator.content_words)], "drop": [""]}
        changed[spot] = rng.choice(options[kind])
        loss += SWAP_LOSS[kind]
    return changed, loss


def graded_pairs(corpora, translator, rng):
    """WordNet's example sentences with words swapped: (a, b, grade), grade 5 for the same text down to 0 for another one.

    A synonym keeps nearly all of the meaning, a broader term most, a sister term (dog/wolf) about half, a stranger little."""
    synsets, _, _ = corpora.wordnet
    texts = [example for synset in synsets.values() for example in synset.examples if 4 <= len(example.split()) <= 16]
    pairs = []
    for text in texts:
        words = LATIN.findall(text.lower())
        lemmas = [translator.lemma(word) for word in words]
        spots = [i for i, lemma in enumerate(lemmas) if lemma in translator.siblings and lemma not in translator.function_words]
        if not spots:
            continue
        changed, loss = swap_words(words, spots, translator, rng)
        grade = 5.0 * max(0.0, 1.0 - 1.6 * loss / max(len(spots), 2)) ** 0.8
        pairs.append((text, translator.render(changed, rng.choice(LANGUAGES)), grade))
        other = LATIN.findall(rng.choice(texts).lower())
        pairs.append((text, translator.render(other, rng.choice(LANGUAGES)), 0.0))
        pairs.append((translator.render(words, rng.choice(LANGUAGES)), translator.render(changed, rng.choice(LANGUAGES)), grade))
    return pairs


def passage_pairs(corpora, translator, rng, count):
    """Half the words of one sentence against a passage that holds the sentence: what a query has to find."""
    synsets, _, _ = corpora.wordnet
    examples = [example for synset in synsets.values() for example in synset.examples if len(example) > 20]
    english = examples + [row[0] for row in corpora.chromium if len(row[0]) > 40]
    pools = {
        "en": english,
        "ms": [row[1] for row in corpora.chromium if len(row[1]) > 40] + [translator.sentence(text, "ms") for text in rng.sample(examples, 12000)],
        "zh": [row[2] for row in corpora.chromium if len(row[2]) > 15] + [translator.sentence(text, "zh") for text in rng.sample(examples, 12000)] + corpora.chinese_posts,
    }
    pairs = []
    for _ in range(count):
        language = rng.choice(("en", "ms", "zh", "zh"))
        sentences = rng.sample(pools[language], rng.randint(3, 9))
        pairs.append((part_of(sentences[0], language, rng), " ".join(rng.sample(sentences, len(sentences)))))
    return pairs


def part_of(text, language, rng):
    """About half of a sentence's words, or a run of its characters where words have no borders."""
    if language == "zh":
        size = max(6, len(text) * 2 // 5)
        start = rng.randint(0, max(0, len(text) - size))
        return text[start : start + size]
    words = text.split()
    return " ".join(word for word in words if rng.random() < 0.5) or text


def emoji_pairs(corpora, rng):
    pairs = []
    for symbol, words in corpora.emoji:
        lists = [words[language] for language in LANGUAGES if words.get(language)]
        if len(lists) > 1:
            first, second = rng.sample(lists, 2)
            pairs.append((" ".join(first), " ".join(second)))
            pairs.append((symbol, " ".join(first)))
    return pairs


def all_sources(corpora, seed):
    """Source name -> (share of the batches, pairs)."""
    rng = random.Random(seed)
    translator = Translator(corpora, seed + 1)
    terms, definitions = concept_pairs(corpora, rng)
    sources = {
        "aligned": (0.22, aligned_pairs([*corpora.chromium, *[(row[1], row[2]) for row in corpora.tatoeba] * 3], rng, 3)),
        "pseudo": (0.26, pseudo_translations(corpora, translator, rng)),
        "terms": (0.12, terms),
        "definitions": (0.14, definitions),
        "graded": (0.12, graded_pairs(corpora, translator, rng)),
        "passages": (0.12, passage_pairs(corpora, translator, rng, 30000)),
        "names": (0.03, aligned_pairs(corpora.names, rng, 1)),
        "emoji": (0.03, emoji_pairs(corpora, rng)),
        "lexicon": (0.08, lexicon_pairs(corpora, rng, 4)),
    }
    return sources
