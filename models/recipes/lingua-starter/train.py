"""Training by the clock, to be interrupted at any time: the learning rate falls to nothing exactly when the time is over."""

import json
import time
from datetime import datetime

import torch
from data import batches
from model import Decoder
from optimizer import Muon
from safetensors.torch import load_file, save_file
from wiring import wire

SAVING = 420


def rate(progress, peak, warm):
    """Warm-up, flat, then down to a fiftieth (progress from 0 to 1)."""
    return peak * min(1, warm) * min(1, max(0.02, (1 - progress) / 0.5))


def parameters_of(model):
    """Matrices for Muon, the rest for AdamW; training holds both in float32 beside what is computed with."""
    named = list(model.named_parameters())
    is_matrix = lambda name, p: p.ndim == 2 and name.startswith("blocks")
    return [p for name, p in named if is_matrix(name, p)], [p for name, p in named if not is_matrix(name, p)]


def train(folder, shape, sharing, target, *, until, tokens, threads, seed, peak=2e-3, device="cpu", start=None, compiled=True):
    """Until `until` (a time stamp). Writes `target`/state.pt (to go on) and model.safetensors every seven minutes and at the end.
    `start`: weights to begin with; a state.pt that is there goes before it."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    model = Decoder(shape, *sharing).to(device)
    state = torch.load(target / "state.pt", weights_only=True) if (target / "state.pt").exists() else None
    if state:
        model.load_state_dict(state["model"])
    elif start:
        model.load(load_file(start))
    else:
        wire(model)
    # The blocks compute in bfloat16; float32 masters take the updates, so no weight is cast in a step.
    computed = [*model.blocks.parameters(), *model.norm.parameters()]
    masters = {p: p.detach().clone() for p in computed}
    model.blocks.to(torch.bfloat16)
    model.norm.to(torch.bfloat16)
    matrices, others = parameters_of(model)
    stand_ins = lambda group: [masters.get(p, p) for p in group]
    optimizers = [Muon(stand_ins(matrices)), torch.optim.AdamW(stand_ins(others), lr=0.0, betas=(0.9, 0.95), weight_decay=0.0)]
    figures = {"steps": 0, "tokens": 0, "answers": 0, "seconds": 0.0, "shards": 0, "loss": 0.0}
    if state:
        figures = state["figures"]
        for optimizer, saved in zip(optimizers, state["optimizers"]):
            optimizer.load_state_dict(saved)
    if compiled:
        # One at a time: they are alike, so that each length is compiled once.
        for block in model.blocks:
            block.compile(dynamic=False)

    def whole():
        """The model with its masters, as state dict."""
        return {name: masters.get(p, p).detach() for name, p in model.named_parameters()}

    def save():
        torch.save({"model": whole(), "optimizers": [optimizer.state_dict() for optimizer in optimizers], "figures": figures}, target / "state.part")
        (target / "state.part").rename(target / "state.pt")
        exported = Decoder(shape, *sharing)
        exported.load_state_dict({name: value.cpu() for name, value in whole().items()})
        save_file(exported.tensors(), target / "model.safetensors")
        (target / "training.json").write_text(json.dumps({"shape": shape.to_dict(), **figures}, indent=2) + "\n")

    began, seconds_before, fresh, saved, told = time.time(), figures["seconds"], 0, time.time(), time.time()
    smooth = None
    for shards, batch in batches(folder, tokens, shape.context, seed + figures["steps"], figures["shards"], device):
        if time.time() >= until:
            break
        share = (time.time() - began) / (until - began)
        for optimizer, part in zip(optimizers, (1.0, 0.15)):
            for group in optimizer.param_groups:
                group["lr"] = part * rate(share, peak, (fresh + 1) / 60)
        loss, plain = model(batch)
        loss.backward()
        for p, master in masters.items():
            master.grad = p.grad.float()
            p.grad = None
        torch.nn.utils.clip_grad_norm_(stand_ins(others), 1.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
        with torch.no_grad():
            for p, master in masters.items():
                p.copy_(master)
        fresh += 1
        figures |= {"steps": figures["steps"] + 1, "tokens": figures["tokens"] + batch["ids"].numel(), "answers": figures["answers"] + len(batch["places"]), "shards": shards}
        smooth = plain.item() if smooth is None else 0.97 * smooth + 0.03 * plain.item()
        figures |= {"seconds": round(seconds_before + time.time() - began), "loss": round(smooth, 4)}
        if fresh < 6 or time.time() - told > 30:
            told = time.time()
            print(f"{datetime.now():%H:%M:%S} {figures['seconds']} s, step {figures['steps']}, {figures['tokens'] / 1e6:.2f} M tokens, {figures['answers'] / 1e6:.2f} M learnt, shard {shards}, loss {smooth:.4f}, processor {time.process_time():.0f} s", flush=True)
        if time.time() - saved > SAVING:
            saved = time.time()
            save()
    save()
    return figures
