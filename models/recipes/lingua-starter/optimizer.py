"""Muon (Keller Jordan, 2024) for the matrices, AdamW for embeddings and norms."""

import torch


def orthogonal(update, steps=5):
    """Newton–Schulz towards the nearest orthogonal matrix, quintic coefficients of Muon."""
    x = update.to(torch.bfloat16)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return (x.T if tall else x).to(update.dtype)


class Muon(torch.optim.Optimizer):
    """Updates have the root mean square of AdamW's (0.2), so both share one learning rate (Moonlight, arXiv:2502.16982)."""

    def __init__(self, parameters, momentum=0.95, weight_decay=0.05):
        super().__init__(parameters, {"lr": 0.0, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for parameter in group["params"]:
                state = self.state[parameter]
                average = state.setdefault("average", torch.zeros_like(parameter))
                average.lerp_(parameter.grad, 1 - group["momentum"])
                update = parameter.grad.lerp(average, group["momentum"])
                # A fused matrix is several: each is brought to its own scale.
                parts = update.split(update.shape[1]) if update.shape[0] % update.shape[1] == 0 else [update]
                step = torch.cat([orthogonal(part) * 0.2 * max(part.shape) ** 0.5 for part in parts])
                parameter.mul_(1 - group["lr"] * group["weight_decay"]).sub_(step, alpha=group["lr"])
