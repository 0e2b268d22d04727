"""Trains the reading network: python train.py EXAMPLES TABLE OUT [--minutes 30] [--held SOURCE]

EXAMPLES: what build.ts and pretrain.ts wrote. A share of the written texts (or one source, --held) is kept back. Until --turn of the time the
questions of plain texts are a good part of what is read, then nearly all is written. OUT/reader.pt is saved every 50 steps, and OUT/state.pt, from
which the same command goes on after a cut."""

import argparse
import json
import math
import random
import struct
import time
import zlib
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from network import FEATURES, OUTCOMES, Reader
from torch.nn import functional as F

ASKINGS = ["ask", "field", "list", "choice", "tool", "summary"]


def read(folder):
    raw = (folder / "examples.bin").read_bytes()
    at, examples = 0, []
    for line in (folder / "examples.jsonl").open():
        (size,) = struct.unpack_from("<i", raw, at)
        head = np.frombuffer(raw, "<i4", size, at + 4)
        at += 4 + 4 * size
        length, _, asking, outcome, places, sentences = head[:6]
        hashes = np.frombuffer(raw, "<i2", length * 3, at).reshape(length, 3)
        rows = np.frombuffer(raw, "<i4", length, at + 6 * length)
        features = np.frombuffer(raw, np.uint8, length * FEATURES, at + 10 * length).reshape(length, FEATURES)
        at += length * (10 + FEATURES)
        spans = head[6 : 6 + 2 * places].reshape(-1, 2)
        starts = head[6 + 2 * places : 6 + 2 * places + sentences]
        examples.append({**json.loads(line), "length": int(length), "mode": ASKINGS[asking], "hashes": hashes, "rows": rows, "features": features,
                         "spans": spans, "starts": starts, "label": int(outcome)})
    return examples


def open_table(path):
    raw = path.read_bytes()
    count, size = struct.unpack_from("<2I", raw)
    vectors = np.frombuffer(raw, np.int8, count * size, 8 + 5 * count).reshape(count, size)
    return torch.tensor(np.concatenate([np.zeros((1, size)), vectors / 127.0]), dtype=torch.float32)


def collate(batch, table):
    longest = max(each["length"] for each in batch)
    size = len(batch)
    hashes, rows = torch.zeros(size, longest, 3, dtype=torch.long), torch.zeros(size, longest, dtype=torch.long)
    features, mask = torch.zeros(size, longest, FEATURES), torch.zeros(size, longest)
    starts, ends = torch.zeros(size, longest), torch.zeros(size, longest)
    inside, sentence = torch.zeros(size, longest), torch.full((size, longest), -1.0)
    for index, each in enumerate(batch):
        length = each["length"]
        hashes[index, :length] = torch.from_numpy(each["hashes"].astype(np.int64))
        rows[index, :length] = torch.from_numpy(each["rows"].astype(np.int64) + 1)
        features[index, :length] = torch.from_numpy(each["features"].astype(np.float32) / 255)
        mask[index, :length] = 1
        for first, last in each["spans"]:
            starts[index, first] = 1
            ends[index, last] = 1
            inside[index, first : last + 1] = 1
        if each["mode"] == "summary":
            places = torch.from_numpy(each["starts"].astype(np.int64))
            sentence[index, places] = 0
            for first, _ in each["spans"]:
                before = places[places <= first]
                if len(before):
                    sentence[index, before[-1]] = 1
    return {"hashes": hashes, "vectors": table[rows], "features": features, "mask": mask, "starts": starts, "ends": ends, "inside": inside,
            "sentence": sentence, "label": torch.tensor([each["label"] for each in batch]), "mode": [each["mode"] for each in batch]}


CAPITAL = 12


def renamed(hashes, features, rng):
    """Names under other buckets, each the same wherever it stands: they must not be learnt."""
    names = features[..., CAPITAL] > 0
    shifted = (hashes * (2 * rng.randrange(1, 2000) + 1) + rng.randrange(8192)) % torch.tensor([8192, 2048, 2048])
    return torch.where(names[..., None], shifted, hashes)


def swapped(made, group, rng):
    """Some questions as fields and fields as questions: what is learnt of one serves the other."""
    for index, each in enumerate(group):
        if each["mode"] in ("ask", "field") and OUTCOMES[each["label"]] in ("span", "none") and rng.random() < 0.25:
            made["features"][index, : each["length"], :2] = made["features"][index, : each["length"], :2].flip(-1)


def batches(examples, tokens, rng):
    order = sorted(examples, key=lambda each: each["length"] + rng.random() * 30)
    made, open_ = [], []
    for each in order:
        if open_ and each["length"] * (len(open_) + 1) > tokens:
            made.append(open_)
            open_ = []
        open_.append(each)
    made.append(open_)
    rng.shuffle(made)
    return made


def loss_of(model, part):
    places, outcome = model(part["hashes"], part["vectors"], part["features"], part["mask"])
    places, outcome = places.float(), outcome.float()
    loss = F.cross_entropy(outcome, part["label"], label_smoothing=0.03)
    modes = part["mode"]
    spans = torch.tensor([mode in ("ask", "field", "choice") for mode in modes]) & (part["starts"].sum(1) > 0)
    if spans.any():
        for index, wanted in ((0, part["starts"]), (1, part["ends"])):
            scores = places[spans, index]
            right = scores + (wanted[spans] - 1) * 1e4
            loss = loss + (torch.logsumexp(scores, 1) - torch.logsumexp(right, 1)).sum() / len(modes)
    lists = torch.tensor([mode in ("list", "ask", "field") for mode in modes]) & (part["starts"].sum(1) > 0)
    if lists.any():
        valid = part["mask"][lists] * (places[lists, 2] > -1e3)
        each = F.binary_cross_entropy_with_logits(places[lists, 2], part["inside"][lists], reduction="none")
        loss = loss + 3 * (each * valid).sum() / valid.sum().clamp(min=1) * lists.float().mean()
    known = part["sentence"] >= 0
    if known.any():
        loss = loss + F.binary_cross_entropy_with_logits(places[:, 3][known], part["sentence"][known]) * 0.7 * (known.any(1).float().mean())
    return loss


def best_span(starts, ends, longest=24):
    scores = starts[:, None] + ends[None, :]
    length = len(starts)
    allowed = np.triu(np.ones((length, length), bool)) & ~np.triu(np.ones((length, length), bool), longest)
    first, last = divmod(int(np.where(allowed, scores, -1e9).argmax()), length)
    return first, last


@torch.inference_mode()
def report(model, examples, table):
    model.eval()
    right, count = defaultdict(float), defaultdict(int)
    groups = defaultdict(list)
    for part in batches(examples, 6000, random.Random(0)):
        made = collate(part, table)
        places, outcome = model(made["hashes"], made["vectors"], made["features"], made["mask"])
        for index, each in enumerate(part):
            length, label = each["length"], OUTCOMES[each["label"]]
            guess = OUTCOMES[int(outcome[index].argmax())]
            mode, good = each["mode"], guess == label
            if mode in ("ask", "field") and label == "span":
                first, last = best_span(places[index, 0, :length].float().numpy(), places[index, 1, :length].float().numpy())
                found = any(first == a and last == b for a, b in each["spans"])
                near = any(first <= b and last >= a for a, b in each["spans"])
                for name, value in (("place", found), ("near", near)):
                    right[mode, name, each["language"]] += value
                    count[mode, name, each["language"]] += 1
                good = good and found
            if mode == "summary":
                scores = places[index, 3, each["starts"]].float().numpy()
                best = each["starts"][int(scores.argmax())]
                following = [s for s in each["starts"] if s > best]
                good = any(best <= first and (not following or first < following[0]) for first, _ in each["spans"])
            if mode == "list":
                chosen = (places[index, 2, :length] > 0).numpy()
                wanted = np.zeros(length, bool)
                for first, last in each["spans"]:
                    wanted[first : last + 1] = True
                good = label == guess and (chosen == wanted).all()
            right[mode, label, each["language"]] += good
            count[mode, label, each["language"]] += 1
    model.train()
    table_ = defaultdict(dict)
    for (mode, name, language), total in count.items():
        table_[f"{mode}.{name}"][language] = (right[mode, name, language], total)
    for name in sorted(table_):
        parts = table_[name]
        whole = sum(r for r, _ in parts.values()) / sum(n for _, n in parts.values())
        print(f"   {name:14} {whole:.3f}  " + "  ".join(f"{lang} {r / n:.3f} ({n})" for lang, (r, n) in sorted(parts.items())), flush=True)


KEPT = {"day-eve": 0.5, "day": 0.3}


def is_kept(each, held):
    if held:
        return each["source"] == held
    share = next((share for begin, share in KEPT.items() if each["source"].startswith(begin)), 0.1)
    return zlib.crc32(each["group"].encode()) % 1000 / 1000 < share


def start_from(model, path):
    """Weights of before. A layer that is added does nothing yet."""
    start = torch.load(path)
    grown = {name: value for name, value in model.state_dict().items() if name not in start}
    for name, value in grown.items():
        if name.endswith(("out.weight", "out.bias", "mix.2.weight", "mix.2.bias")):
            value.zero_()
        elif name.endswith(("gate.weight", "gate.bias")):
            value[: len(value) // 2] = 0
    model.load_state_dict({**grown, **start})


def shaken(made, group, rng):
    swapped(made, group, rng)
    if rng.random() < 0.6:
        made["hashes"] = renamed(made["hashes"], made["features"], rng)
    if rng.random() < 0.5:
        # Words unknown to the table must be read as well.
        made["vectors"] = made["vectors"] * (torch.rand(made["mask"].shape)[..., None] > 0.1)
    if rng.random() < 0.5:
        made["vectors"] = made["vectors"] + 0.06 * torch.randn_like(made["vectors"]) * (made["vectors"] != 0)
    if rng.random() < 0.5:
        made["features"][..., 20:34] *= 1 + 0.15 * torch.randn(len(group), 1, 14).clamp(-2, 2)
    for name in ("vectors", "features", "mask"):
        made[name] = made[name].bfloat16()
    return made


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument("examples", type=lambda folders: [Path(each) for each in folders.split(",")], help="folders, by commas")
    parser.add_argument("table", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=55)
    parser.add_argument("--held")
    parser.add_argument("--plain", type=float, default=0.06, help="share of the plain texts' questions in an epoch, until --turn of the time")
    parser.add_argument("--turn", type=float, default=0.6)
    parser.add_argument("--turned", type=float, default=0.006, help="that share afterwards")
    parser.add_argument("--generated", type=float, default=0.1, help="generated examples of an epoch for each other one")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--tokens", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=8e-4)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--all", action="store_true", help="train on what else is kept back")
    parser.add_argument("--threads", type=int, default=1, help="1 on a busy machine: two wait for each other there")
    parser.add_argument("--often", nargs="*", default=["day:2", "whole:1.5", "reader:2", "objects-next:1.5"],
                        help="SOURCE:TIMES, texts that an epoch holds several times, by the begin of their source")
    parser.add_argument("--rest", type=float, default=1, help="share of the other written examples in an epoch")
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--more", type=Path, default=Path("none"), help="a folder where more examples (ex-*, a file `done` in them) may arrive")
    parser.add_argument("--portion", type=float, default=0.05, help="share of the written examples in an epoch")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tasks", nargs="*", default=["ask:2", "list:2", "summary:2", "choice:0.7"], help="TASK:SHARE, share of a task's examples in an epoch")
    return parser.parse_args()


def main():
    arguments = parsed()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    rng = random.Random(arguments.seed)
    table = open_table(arguments.table)
    seen, plain, generated, written, held = set(), [], [], [], []

    def read_new():
        for folder in arguments.examples + sorted(each for each in arguments.more.glob("ex-*") if (each / "done").exists()):
            if folder in seen:
                continue
            seen.add(folder)
            for each in read(folder):
                if each["source"].startswith("generated-plain"):
                    plain.append(each)
                elif each["source"].startswith("generated"):
                    generated.append(each)
                elif not arguments.all and is_kept(each, arguments.held):
                    held.append(each)
                else:
                    written.append(each)
            print(f"{len(written)} written, {len(plain)} of plain texts, {len(generated)} generated, {len(held)} held back", flush=True)

    # Numbers in bfloat16 throughout, the weights that are learnt in float32.
    model = Reader(arguments.width, arguments.layers, arguments.width // 32, arguments.dropout)
    if arguments.start:
        start_from(model, arguments.start)
    print(f"{sum(p.numel() for p in model.parameters()):,} weights", flush=True)
    work = Reader(arguments.width, arguments.layers, arguments.width // 32, arguments.dropout).bfloat16()
    work.train()
    pairs = list(zip(work.parameters(), model.parameters()))
    optimizer = torch.optim.AdamW([{"params": [p for p in model.parameters() if p.ndim > 1], "weight_decay": 0.1},
                                   {"params": [p for p in model.parameters() if p.ndim <= 1], "weight_decay": 0}],
                                  lr=arguments.rate, betas=(0.9, 0.98), fused=True)
    average = {name: value.clone() for name, value in model.state_dict().items()}
    often = [each.rsplit(":", 1) for each in arguments.often]
    shares = {task: float(share) for task, share in (each.split(":") for each in arguments.tasks)}
    arguments.out.mkdir(parents=True, exist_ok=True)
    epoch, seconds, before = 0, arguments.minutes * 60, 0.0
    if (arguments.out / "state.pt").exists():
        state = torch.load(arguments.out / "state.pt")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        average, before = state["average"], state["gone"] * seconds
        rng.seed(int(before))
        print(f"goes on from {before / 60:.1f} min", flush=True)
    with torch.no_grad():
        for mine, master in pairs:
            mine.copy_(master)
    read_new()
    began = time.time() - before

    def save():
        torch.save(average, arguments.out / "reader.pt")
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "average": average, "gone": (time.time() - began) / seconds}
        torch.save(state, arguments.out / "state.part")
        (arguments.out / "state.part").rename(arguments.out / "state.pt")

    while time.time() - began < seconds:
        epoch += 1
        read_new()
        part = []
        for each in written:
            times = next((float(times) for begin, times in often if each["source"].startswith(begin)), arguments.rest)
            times *= shares.get(each["mode"], 1) * arguments.portion
            part += [each] * (int(times) + (rng.random() < times % 1))
        part += rng.sample(plain, int(len(plain) * (arguments.plain if time.time() - began < arguments.turn * seconds else arguments.turned)))
        part += rng.sample(generated, min(len(generated), int(len(part) * arguments.generated)))
        total, steps, tokens, shown = 0.0, 0, 0, time.time()
        for group in batches(part, arguments.tokens, rng):
            gone = (time.time() - began) / seconds
            if gone >= 1:
                break
            for each in optimizer.param_groups:
                each["lr"] = arguments.rate * min(1, gone * 40 + 0.02) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * gone)))
            loss = loss_of(work, shaken(collate(group, table), group, rng))
            for mine, _ in pairs:
                mine.grad = None
            loss.backward()
            for mine, master in pairs:
                master.grad = mine.grad.float()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            with torch.no_grad():
                for mine, master in pairs:
                    mine.copy_(master)
                for name, value in model.state_dict().items():
                    average[name].lerp_(value, 0.004 if gone > 0.1 else 0.05)
            total, steps, tokens = total + loss.item(), steps + 1, tokens + int(sum(each["length"] for each in group))
            if steps % 50 == 0:
                save()
        print(f"epoch {epoch}: loss {total / max(1, steps):.3f}, {len(part)} examples, {steps} steps, {tokens / (time.time() - shown):.0f} words a second, "
              f"{(time.time() - began) / 60:.1f} min", flush=True)
        save()
    model.load_state_dict(average)
    if held:
        report(model, held, table)


if __name__ == "__main__":
    main()
