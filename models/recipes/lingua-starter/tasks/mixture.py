"""How often each task is drawn."""

from . import extract, passage, small, smalltalk, tools
from .random_source import Source

MIXTURE = [
    (extract.extract, 24), (extract.extract_list, 4), (tools.tools, 28), (passage.passage, 24), (passage.select, 3),
    (small.classify, 5), (small.count, 1), (small.sort, 1), (small.arithmetic, 1), (small.table, 6), (small.rewrite, 3),
    (smalltalk.smalltalk, 3), (smalltalk.refusal, 3),
]
LANGUAGES = {"en": 60, "ms": 20, "zh": 20}


def examples(seed, split="train"):
    """Endless."""
    rng = Source(seed, split)
    tasks, weights = zip(*MIXTURE)
    while True:
        language = rng.choices(list(LANGUAGES), list(LANGUAGES.values()))[0]
        example = rng.choices(tasks, weights)[0](rng, language)
        if rng.chance(0.12) and not example.tools and not example.schema and example.messages[0]["role"] != "system":
            earlier = rng.choices(tasks[5:], weights[5:])[0](rng, language)
            if earlier.schema is None:
                example.messages = earlier.messages + example.messages
        yield example
