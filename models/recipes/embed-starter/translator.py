"""Word-by-word translation of English through dictionaries, and what a word may be swapped for."""

import random
from collections import defaultdict

from corpora import LATIN


class Translator:
    """Word-by-word translation through the synsets and the lexicon: order is lost, which a bag of words never sees."""

    def __init__(self, corpora, seed):
        self.random = random.Random(seed)
        self.table = defaultdict(lambda: defaultdict(list))
        synsets, counts, ranks = corpora.wordnet
        for key, synset in synsets.items():
            for lemma in synset.lemmas["en"]:
                weight = counts.get((lemma, key), 0) + 1.0 / ranks.get((lemma, key), 3) ** 2
                for language in ("ms", "zh"):
                    if synset.lemmas[language]:
                        self.table[lemma][language].append((synset.lemmas[language], weight))
                self.table[lemma]["en"].append((synset.lemmas["en"], weight))
        for english, malay, zh in corpora.lexicon:
            for lemma in english:
                for language, lemmas in (("en", english), ("ms", malay), ("zh", zh)):
                    if lemmas:
                        self.table[lemma][language].append((lemmas, 80.0))
        self.irregular = corpora.irregular
        self.listed = {lemma for row in corpora.lexicon for lemma in row[0]}
        self.function_words = {lemma for row in corpora.function_words for lemma in row}
        self.siblings = self._siblings(synsets)
        self.content_words = [word for word in self.siblings if word.isalpha() and len(word) > 3]

    @staticmethod
    def _siblings(synsets):
        """Lemma -> (hypernym lemmas, co-hyponym lemmas) of its commonest sense."""
        children = defaultdict(list)
        for synset in synsets.values():
            for parent in synset.hypernyms[:1]:
                children[parent].append(synset)
        best = {}
        for synset in synsets.values():
            for lemma in synset.lemmas["en"]:
                if lemma not in best or synset.count > best[lemma].count:
                    best[lemma] = synset
        table = {}
        for lemma, synset in best.items():
            parent = next((synsets[key] for key in synset.hypernyms[:1] if key in synsets), None)
            if parent is not None:
                near = sorted((other for other in children[parent.key] if other is not synset), key=lambda other: -other.count)[:12]
                table[lemma] = (parent.lemmas["en"], [word for other in near for word in other.lemmas["en"][:2]])
        return table

    def lemma(self, word):
        if word in self.listed:
            return word
        base = self.irregular.get(word)
        if base in self.table:
            return base
        if word in self.table:
            return word if len(word) > 2 else None
        candidates = [stem for ending, stem in self.stems(word) if word.endswith(ending) and len(stem) > 2]
        return next((item for item in candidates if item in self.table), None)

    @staticmethod
    def stems(word):
        """(ending, base) guesses for a regular inflection, most specific first."""
        yield "ies", word[:-3] + "y"
        yield "ied", word[:-3] + "y"
        yield "s", word[:-1]
        yield "es", word[:-2]
        yield "'s", word[:-2]
        for ending in ("ing", "ed", "er", "est"):
            stem = word[: -len(ending)]
            yield ending, stem + "e"
            yield ending, stem
            if len(stem) > 3 and stem[-1] == stem[-2]:
                yield ending, stem[:-1]
        yield "ly", word[:-2]

    def word(self, word, language):
        choices = self.table[word].get(language)
        if not choices:
            return None
        lemmas, _ = self.random.choices(choices, [weight for _, weight in choices])[0]
        return self.random.choice(lemmas)

    def render(self, words, language):
        text = " ".join(words)
        return text if language == "en" else self.sentence(text, language)

    def sentence(self, text, language, keep=0.0):
        """`text` (English) with each known word replaced by one of `language`; unknown words stay, function words without an entry drop."""
        output = []
        for word in LATIN.findall(text.lower()):
            lemma = self.lemma(word)
            found = self.word(lemma, language) if lemma and self.random.random() >= keep else None
            if found:
                output.append(found)
            elif language == "en" or (len(word) > 4 and not lemma):
                output.append(word)
        return (" " if language != "zh" else "，").join(output)
