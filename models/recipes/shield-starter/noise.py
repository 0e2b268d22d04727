"""Evasion and everyday noise for training rows: leetspeak, stars, spacing, stretched letters, slips of the finger."""

import re

LEET = {"a": "4@", "e": "3", "i": "1!", "o": "0", "s": "5$", "t": "7", "l": "1"}


def leet(word, rng):
    return "".join(rng.choice(LEET[c]) if c in LEET and rng.random() < 0.5 else c for c in word)


def star(word, rng):
    if len(word) < 4:
        return word
    at = rng.randrange(1, len(word) - 1)
    width = rng.choice([1, 1, 2])
    return word[:at] + "*" * width + word[at + width :]


def space(word, rng):
    return rng.choice([" ", ".", "-", "*"]).join(word)


def stretch(word, rng):
    at = rng.randrange(len(word))
    return word[:at] + word[at] * rng.choice([3, 4, 5]) + word[at + 1 :]


def slip(word, rng):
    at = rng.randrange(len(word) - 1)
    return rng.choice([word[:at] + word[at + 1 :], word[:at] + word[at + 1] + word[at] + word[at + 2 :], word[:at] + word[at] + word[at:]])


def noisy(text, rng):
    """A copy of the text with one to three words disturbed; Chinese gets separators between characters."""
    words = text.split(" ")
    if re.search(r"[\u4e00-\u9fff]", text):
        at = rng.randrange(1, len(text)) if len(text) > 1 else 0
        return text[:at] + rng.choice(["*", " ", ".", "，", ""]) + text[at:]
    places = [i for i, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    for at in rng.sample(places, min(len(places), rng.choice([1, 2, 3]))):
        words[at] = rng.choice([leet, star, space, stretch, slip, slip])(words[at], rng)
    return " ".join(words)
