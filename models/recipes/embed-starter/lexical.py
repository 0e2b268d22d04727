"""The lexical half of a vector: every row has a fixed pseudo-random direction of signs, so that two texts also agree as far
as they share words. Nothing is learned or stored for a row: its direction is the exclusive or of two short tables' lines
(random projection of a bag of words; Achlioptas 2003)."""

import numpy as np

# Coprime sizes: two rows share both lines only when they are the same row, or 509 * 521 apart.
SIZES = (509, 521)
SEED = 20261120
# Share of the lexical half in the squared length of a vector, by the form a text is asked for.
SHARES = {"query": 0.3, "document": 0.3, None: 0.03}


def sign_tables():
    """Two [size, 128] byte tables: 1,024 sign bits a line."""
    random = np.random.default_rng(SEED)
    return [random.integers(0, 256, (size, 128), np.uint8) for size in SIZES]


def directions(rows):
    """[n, 1024] of +1 and -1."""
    first, second = sign_tables()
    bits = np.unpackbits(first[rows % SIZES[0]] ^ second[rows % SIZES[1]], axis=1, bitorder="little")
    return bits.astype(np.float32) * 2 - 1
