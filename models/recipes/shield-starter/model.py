"""The deep half of the classifier: hashed token features → embeddings → two convolutions, pooled → fourteen logits."""

import torch
from torch import nn

from features import BUCKETS

CATEGORIES = [
    "violence", "hate_speech", "harassment", "adult_content", "child_safety", "self_harm", "extremism", "weapons",
    "illicit_activity", "fraud_deception", "cyber_abuse", "prompt_injection", "pii_exposure", "misinformation",
]
WIDTH = 48
HIDDEN = 128


class Shield(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(BUCKETS, WIDTH, padding_idx=0, sparse=True)
        nn.init.normal_(self.table.weight, std=0.05)
        with torch.no_grad():
            self.table.weight[0] = 0
        self.near = nn.Conv1d(WIDTH, HIDDEN, 3, padding=1)
        self.far = nn.Conv1d(HIDDEN, HIDDEN, 3, padding=2, dilation=2)
        self.pooled = nn.Linear(2 * WIDTH + 2 * HIDDEN, HIDDEN)
        self.out = nn.Linear(HIDDEN, len(CATEGORIES))
        self.drop = nn.Dropout(0.3)

    def forward(self, ids):
        """ids: int [batch, tokens, features], 0 pads both features and tokens."""
        present = ids[:, :, 0] != 0
        if self.training:
            keep = torch.rand(ids.shape) > 0.15
            keep &= (torch.rand(ids.shape[:2]) > 0.08).unsqueeze(2)
            ids = ids * keep
        mask = present.unsqueeze(1).float()
        count = (ids != 0).sum(2, keepdim=True).clamp(min=1).float()
        words = (self.table(ids).sum(2) / count.sqrt()).transpose(1, 2) * mask
        size = mask.sum(2).clamp(min=1)
        near = torch.relu(self.near(words)) * mask
        far = (torch.relu(self.far(near)) + near) * mask
        # relu: padding is zero, and a batch must not change a row's answer.
        pooled = torch.cat([words.sum(2) / size, torch.relu(words.amax(2)), far.sum(2) / size, far.amax(2)], 1)
        return self.out(self.drop(torch.relu(self.pooled(self.drop(pooled)))))
