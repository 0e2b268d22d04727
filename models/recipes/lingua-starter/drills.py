"""Copying and looking up among random tokens: what every grounded task rests on, in its plainest form. Token by token, so
that no spelling gets in the way."""


def drill(rng, tokenizer, low, high):
    """(ids, learnt): a span to repeat, or pairs to look up in another order; keys and values of one to four tokens."""
    def piece(text):
        return tokenizer.encode(text, add_special_tokens=False).ids

    def span(length):
        return [rng.randrange(low, high) for _ in range(length)]

    line = piece("\n")
    if rng.random() < 0.35:
        body = span(rng.randint(4, 30))
        ids = [*piece("<|im_start|>user\n"), *body, *piece("<|im_end|>\n<|im_start|>assistant\n")]
        answer = [*body, *piece("<|im_end|>")]
        return ids + answer, [False] * len(ids) + [True] * len(answer)
    middle = piece(rng.choice([": ", " = ", ",", " | ", '":"', " is "]))
    pairs = [(span(rng.randint(1, 2)), span(rng.randint(1, 4))) for _ in range(rng.randint(2, 8))]
    ids, learnt = [], []

    def add(part, is_learnt):
        ids.extend(part)
        learnt.extend([is_learnt] * len(part))

    for key, value in pairs:
        add([*key, *middle, *value, *line], False)
    rng.shuffle(pairs)
    for key, value in pairs:
        add([*key, *middle], False)
        add([*value, *line], True)
    return ids, learnt
