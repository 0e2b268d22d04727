"""A byte-level BPE whose pieces are the same with and without a space before a word, so that copying is one step:
merges are learnt without spaces, and the frequent first pieces get a second form that begins with one. Digits and Chinese
characters are tokens of their own."""

import json
from collections import Counter

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

CHINESE = "[一-鿿]"
LETTERS = f"(?:(?!{CHINESE})\\p{{L}})+"
PATTERN = f"{CHINESE}| ?{LETTERS}|\\p{{N}}| ?[^\\s\\p{{L}}\\p{{N}}]+|\\s+(?!\\S)|\\s+"
BARE = f"{CHINESE}|{LETTERS}|\\p{{N}}|[^\\s\\p{{L}}\\p{{N}}]+|\\s+"
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
ADDED = ["<tool_call>", "</tool_call>", "<tools>", "</tools>"]
SPACE = "Ġ"


def split(pattern):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def train(corpus, size, spaced_share=0.27):
    """`corpus`: a list of texts. A tokenizers.Tokenizer of `size` tokens."""
    bare_size = int(size * (1 - spaced_share)) - len(SPECIAL) - len(ADDED)
    bare = Tokenizer(models.BPE())
    bare.pre_tokenizer = split(BARE)
    trainer = trainers.BpeTrainer(vocab_size=bare_size, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False, max_token_length=24)
    bare.train_from_iterator(corpus, trainer)
    model = json.loads(bare.to_str())["model"]
    vocab, merges = model["vocab"], [tuple(m) if isinstance(m, list) else tuple(m.split(" ")) for m in model["merges"]]
    for piece in frequent_starts(bare, corpus)[: size - len(vocab) - len(SPECIAL) - len(ADDED)]:
        vocab[SPACE + piece] = len(vocab)
        merges.append((SPACE, piece))
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges))
    tokenizer.pre_tokenizer = split(PATTERN)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.add_tokens(ADDED)
    return tokenizer


def frequent_starts(bare, corpus):
    """First pieces of what stands behind a space, most frequent first."""
    counts = Counter()
    for text in corpus[:: max(1, len(corpus) // 20_000)]:
        previous = ""
        for part, _ in bare.pre_tokenizer.pre_tokenize_str(text):
            if previous.endswith(SPACE):
                counts[bare.model.tokenize(part)[0].value] += 1
            previous = part
    return [piece for piece, _ in counts.most_common() if SPACE not in piece]


def sharing(tokenizer):
    """For every token: the row it shares (its form in small letters without a space), and its manner
    (0–5: space or not × small, Capital, CAPITALS)."""
    vocab = tokenizer.get_vocab()
    rows, manners = list(range(len(vocab))), [0] * len(vocab)
    for piece, token in vocab.items():
        bare = piece.removeprefix(SPACE) or piece
        case = 0
        if bare.isascii() and bare.isalpha() and bare != bare.lower():
            case = 2 if len(bare) > 1 and bare.isupper() else 1
        rows[token] = vocab.get(bare.lower() if case else bare, vocab.get(bare, token))
        manners[token] = 3 * (bare != piece) + case
    return rows, manners
