"""A random source that keeps whole phrasings back: what `split` "train" may choose, "held" never chooses, and the other way round."""

import random
import zlib

HELD_ONE_IN = 7


def is_held(item):
    return zlib.crc32(repr(item).encode()) % HELD_ONE_IN == 0


class Source(random.Random):
    def __init__(self, seed, split="train"):
        super().__init__(seed)
        self.split = split

    def phrase(self, items):
        """One of the phrasings this split may use; of lists under four, any."""
        if len(items) < 4:
            return self.choice(items)
        mine = [item for item in items if is_held(item) == (self.split == "held")]
        return self.choice(mine or items)

    def chance(self, probability):
        return self.random() < probability

    def some(self, items, low, high):
        return self.sample(items, min(len(items), self.randint(low, high)))
