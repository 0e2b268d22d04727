"""Inflected English forms, Malay affixes and the pieces that let unseen forms fall back on their root."""

ENGLISH_SUFFIXES = ["s", "es", "ed", "ing", "er", "ers", "est", "ly", "ness", "'s", "able", "ment", "ism", "ist", "ists", "less", "ful", "like", "ish", "ity", "al", "ation"]
MALAY_PREFIXES = ["me", "mem", "men", "meng", "meny", "di", "ber", "be", "ter", "pe", "pem", "pen", "peng", "peny", "per", "ke", "se", "memper", "diper", "menge", "keber", "ketak", "berke", "bersi", "mempel", "pember", "seke", "ter"]
MALAY_SUFFIXES = ["kan", "an", "i", "nya", "lah", "kah", "ku", "mu", "kannya", "annya", "inya", "pun"]
VOWELS = set("aeiou")


def english_forms(lemma, pos):
    """Regular forms of a lemma: (form) strings, spelling rules applied."""
    if not lemma.isascii() or not lemma.isalpha() or len(lemma) < 3:
        return []
    consonant_y = lemma[-1] == "y" and lemma[-2] not in VOWELS
    stem = lemma[:-1] if lemma[-1] == "e" else lemma
    short = len(lemma) <= 5 and lemma[-1] not in VOWELS and lemma[-1] not in "wxy" and lemma[-2] in VOWELS and lemma[-3] not in VOWELS
    doubled = lemma + lemma[-1] if short else stem
    plural = lemma[:-1] + "ies" if consonant_y else lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh")) else "s")
    if pos == "n":
        return [plural, lemma + "'s"]
    if pos == "v":
        past = lemma[:-1] + "ied" if consonant_y else doubled + "ed"
        return [plural, past, doubled + "ing"]
    if pos == "a" and len(lemma) <= 6:
        base = lemma[:-1] + "i" if consonant_y else doubled
        return [base + "er", base + "est"]
    return []


def british_american(word):
    """The other spelling of a word, or None."""
    for british, american in (("isation", "ization"), ("ise", "ize"), ("ised", "ized"), ("ising", "izing"), ("our", "or"), ("ours", "ors"), ("oured", "ored"), ("ouring", "oring"), ("tre", "ter"), ("elled", "eled"), ("elling", "eling"), ("ence", "ense"), ("ogue", "og")):
        if word.endswith(british):
            yield word[: -len(british)] + american
        if word.endswith(american):
            yield word[: -len(american)] + british


def nasal_variant(root):
    """What is left of a Malay root after meN-/peN- swallow its first letter (pukul -> mem|ukul)."""
    return root[1:] if root[0] in "ptks" and len(root) >= 5 and root[1] in VOWELS else None


def malay_roots(word):
    """Possible roots of an affixed Malay word, longest first (memperkenalkan -> kenal, kenalkan ...)."""
    roots = set()
    for prefix in ["", *MALAY_PREFIXES]:
        if not word.startswith(prefix):
            continue
        rest = word[len(prefix) :]
        bases = [rest] + ([letter + rest for letter in {"mem": "p", "men": "t", "meng": "k", "meny": "s", "pem": "p", "pen": "t", "peng": "k", "peny": "s"}.get(prefix, "")] if rest[:1] in VOWELS else [])
        for base in bases:
            for suffix in ("", "kan", "an", "i", "nya", "kannya"):
                if base.endswith(suffix):
                    roots.add(base[: len(base) - len(suffix)])
    return sorted((root for root in roots if len(root) >= 4 and root != word), key=len, reverse=True)[:3]
