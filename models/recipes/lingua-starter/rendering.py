"""Conversations to tokens with the pack's own chat template, as the engine renders them."""

import json
from pathlib import Path

import jinja2
from tasks.example import with_schema

HERE = Path(__file__).parent
TURN, END = "<|im_start|>assistant\n", "<|im_end|>"


def load_template():
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    return environment.from_string((HERE / "template.jinja").read_text("utf-8"))


TEMPLATE = load_template()


def render(example, prompt_only=False):
    messages = example.messages
    if example.schema is not None:
        messages = with_schema(messages, example.schema)
    if prompt_only:
        messages = messages[:-1]
    return TEMPLATE.render(messages=messages, tools=example.tools or None, add_generation_prompt=prompt_only)


def encode(tokenizer, example):
    """Tokens, and which of them are to be learnt: answers and their ends."""
    ids, learnt = [], []

    def add(text, is_answer):
        part = tokenizer.encode(text, add_special_tokens=False).ids
        ids.extend(part)
        learnt.extend([is_answer] * len(part))

    first, *turns = render(example).split(TURN)
    add(first, False)
    for turn in turns:
        answer, rest = turn.split(END, 1)
        add(TURN, False)
        add(answer + END, True)
        add(rest, False)
    return ids, learnt


def encode_family(tokenizer, family):
    """(tokens, which are learnt) of what the conversations share and of each of their ends."""
    made = [encode(tokenizer, example) for example in family]
    if len(made) == 1:
        return made
    common = min(first_difference(made[0][0], ids) for ids, _ in made[1:])
    # Nothing that is learnt is shared, and every branch learns something.
    common = min(common, *(learnt.index(True) for _, learnt in made))
    return [(made[0][0][:common], [False] * common), *((ids[common:], learnt[common:]) for ids, learnt in made)]


def first_difference(left, right):
    return next((at for at, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
