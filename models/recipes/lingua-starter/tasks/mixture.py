"""How often each task is drawn. A draw is one conversation or several that begin alike."""

from . import calls, everyday, extract, forms, grids, passage, reading, small, smalltalk, tools
from .random_source import Source

# Those of the first release, for what they teach beside the newer ones and for the bench's held-back part.
OLDER = [
    (extract.extract, 24), (extract.extract_list, 4), (tools.tools, 28), (passage.passage, 24), (passage.select, 3),
    (small.classify, 5), (small.count, 1), (small.sort, 1), (small.arithmetic, 1), (small.table, 6), (small.rewrite, 3),
    (smalltalk.smalltalk, 3), (smalltalk.refusal, 3),
]
NEWER = [
    (reading.reading, 26), (reading.mixed, 6), (reading.facts, 6), (reading.cloze, 4), (reading.summary, 10),
    (forms.fields, 16), (forms.receipt, 6), (forms.judged, 5), (grids.grid, 15), (calls.calls, 20),
    (everyday.translate, 2), (everyday.classify, 4), (everyday.rewrite, 3), (everyday.sums, 2), (everyday.days, 1), (everyday.looked_up, 4),
]
OLDER_SHARE = 0.22
LANGUAGES = {"en": 50, "ms": 25, "zh": 25}


def examples(seed, split="train"):
    """Endless, of the older tasks one at a time."""
    rng = Source(seed, split)
    while True:
        yield older(rng, rng.choices(list(LANGUAGES), list(LANGUAGES.values()))[0])


def older(rng, language):
    tasks, weights = zip(*OLDER)
    example = rng.choices(tasks, weights)[0](rng, language)
    if rng.chance(0.12) and not example.tools and not example.schema and example.messages[0]["role"] != "system":
        earlier = rng.choices(tasks[5:], weights[5:])[0](rng, language)
        if earlier.schema is None:
            example.messages = earlier.messages + example.messages
    return example


def families(seed, split="train"):
    """Endless: lists of conversations that begin alike."""
    rng = Source(seed, split)
    tasks, weights = zip(*NEWER)
    while True:
        language = rng.choices(list(LANGUAGES), list(LANGUAGES.values()))[0]
        yield [older(rng, language)] if rng.chance(OLDER_SHARE) else rng.choices(tasks, weights)[0](rng, language)
