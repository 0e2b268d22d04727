"""Training by the clock: the learning rate falls to nothing exactly when the time is over, wherever that is in the data."""

import time

import torch
from data import batches
from model import Decoder
from optimizer import Muon
from safetensors.torch import load_file, save_file
from wiring import wire


def rate(progress, peak):
    """Warm-up, flat, then down to a hundredth (progress from 0 to 1)."""
    if progress < 0.03:
        return peak * (progress + 0.003) / 0.033
    return peak if progress < 0.55 else peak * max(0.01, (1 - progress) / 0.45)


def train(source, shape, sharing, target, *, seconds, tokens, threads, seed, peak=2e-3, device="cpu", resume=None, rng=None):
    """Writes `target`/model.safetensors every five minutes and at the end. Returns the figures of the run."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    model = Decoder(shape, *sharing).to(device)
    if resume:
        model.load(load_file(resume))
    else:
        wire(model)
    run = torch.compile(model, dynamic=True)
    matrices = [p for name, p in model.named_parameters() if p.ndim == 2 and name.startswith("blocks")]
    others = [p for name, p in model.named_parameters() if not (p.ndim == 2 and name.startswith("blocks"))]
    optimizers = [Muon(matrices), torch.optim.AdamW(others, lr=0.0, betas=(0.9, 0.95), weight_decay=0.0)]
    started = saved = time.time()
    step = seen = 0
    smooth = None
    while time.time() - started < seconds:
        for ids, places, targets, weights in batches(next(source), tokens, rng):
            progress = (time.time() - started) / seconds
            if progress >= 1:
                break
            for optimizer, share in zip(optimizers, (1.0, 0.15)):
                for group in optimizer.param_groups:
                    group["lr"] = share * rate(progress, peak)
            with torch.autocast(device, torch.bfloat16):
                loss = run(*(each.to(device) for each in (ids, places, targets, weights)))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(others, 1.0)
            for optimizer in optimizers:
                optimizer.step()
                optimizer.zero_grad()
            step, seen = step + 1, seen + ids.numel()
            smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
            if step % 25 == 0:
                print(f"{time.time() - started:.0f} s, step {step}, {seen / 1e6:.2f} M tokens, loss {smooth:.4f}, rate {rate(progress, peak):.5f}", flush=True)
            if time.time() - saved > 300:
                saved = time.time()
                save_file(model.tensors(), target / "model.safetensors")
    save_file(model.tensors(), target / "model.safetensors")
    return {"steps": step, "tokens": seen, "loss": round(smooth, 4), "seconds": round(time.time() - started)}
