"""Muon (Keller Jordan, 2024) for the matrices, AdamW for embeddings and norms."""

import torch


def orthogonal(updates, steps=5):
    """Newton–Schulz towards the nearest orthogonal matrix, quintic coefficients of Muon, for several matrices of one shape."""
    x = updates.to(torch.bfloat16)
    tall = x.shape[1] > x.shape[2]
    x = x.mT if tall else x
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(steps):
        square = x @ x.mT
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return (x.mT if tall else x).to(updates.dtype)


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
                high, wide = update.shape
                # A fused matrix is several: each is brought to its own scale.
                parts = update.view(-1, wide, wide) if high % wide == 0 else update[None]
                step = (orthogonal(parts) * 0.2 * max(parts.shape[1:]) ** 0.5).view(high, wide)
                parameter.mul_(1 - group["lr"] * group["weight_decay"]).sub_(step, alpha=group["lr"])
