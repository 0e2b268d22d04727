"""Means of weights that began as the same: python mean.py OUT.pt A.pt:1 B.pt:2"""

import sys

import torch

parts = [(torch.load(path), float(share)) for path, share in (each.rsplit(":", 1) for each in sys.argv[2:])]
whole = sum(share for _, share in parts)
torch.save({name: sum(weights[name] * share for weights, share in parts) / whole for name in parts[0][0]}, sys.argv[1])
