"""Which rows are forms of which: inflections, spellings, Malay affixes, Chinese compounds."""

from collections import defaultdict

from matrices import Triples
from morphology import british_american, english_forms, malay_roots
from vocabulary import HAN, MARK


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
