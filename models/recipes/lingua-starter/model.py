"""The decoder, shaped as Hugging Face's Llama: grouped-query attention, rotary positions, SwiGLU, tied embeddings."""

from dataclasses import asdict, dataclass

import torch
import torch.nn as nn
import torch.nn.functional as functional


@dataclass
class Shape:
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    ffn: int
    vocab: int = 8192
    head_dim: int = 64
    theta: float = 10_000.0
    eps: float = 1e-5
    context: int = 8192

    def config(self):
        """config.json."""
        return {
            "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": self.vocab, "hidden_size": self.hidden, "intermediate_size": self.ffn,
            "num_hidden_layers": self.layers, "num_attention_heads": self.heads, "num_key_value_heads": self.kv_heads, "head_dim": self.head_dim,
            "hidden_act": "silu", "rms_norm_eps": self.eps, "rope_theta": self.theta, "max_position_embeddings": self.context, "tie_word_embeddings": True,
            "attention_bias": False, "mlp_bias": False, "torch_dtype": "bfloat16",
        }

    to_dict = asdict


# `starter` is what two CPU cores train in an hour; `large` wants a GPU for half of one.
SHAPES = {
    "tiny": Shape(hidden=128, layers=2, heads=2, kv_heads=1, ffn=384),
    "starter": Shape(hidden=256, layers=8, heads=6, kv_heads=3, ffn=768, context=8192),
    "large": Shape(hidden=640, layers=16, heads=10, kv_heads=2, ffn=1792, vocab=16_384),
}


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        width, inner = shape.hidden, shape.heads * shape.head_dim
        self.heads, self.kv_heads, self.head_dim = shape.heads, shape.kv_heads, shape.head_dim
        self.attention_norm = nn.RMSNorm(width, eps=shape.eps)
        self.ffn_norm = nn.RMSNorm(width, eps=shape.eps)
        self.qkv = nn.Linear(width, inner + 2 * shape.kv_heads * shape.head_dim, bias=False)
        self.out = nn.Linear(inner, width, bias=False)
        self.gate_up = nn.Linear(width, 2 * shape.ffn, bias=False)
        self.down = nn.Linear(shape.ffn, width, bias=False)

    def forward(self, x, cos, sin, unseen):
        """`unseen`: added to the scores, [rows, 1, length, length]. Products by hand: a tenth of the time that the processor's
        own attention takes with a mask."""
        rows, length, _ = x.shape
        mixed = self.qkv(self.attention_norm(x)).view(rows, length, -1, self.head_dim)
        query, key, value = mixed.split([self.heads, self.kv_heads, self.kv_heads], 2)
        query, key = turn(query, cos, sin) * self.head_dim**-0.5, turn(key, cos, sin)
        group = self.heads // self.kv_heads
        query = query.view(rows, length, self.kv_heads, group, -1).permute(0, 2, 3, 1, 4).reshape(rows * self.kv_heads, group * length, -1)
        key, value = (each.transpose(1, 2).reshape(rows * self.kv_heads, length, -1) for each in (key, value))
        scores = torch.bmm(query, key.transpose(1, 2)).view(rows, self.heads, length, length)
        # No greatest score is taken away first, and the sum divides what came of it: one pass over the scores instead of three.
        powers = (scores.float().clamp(-60, 60) + unseen.float()).exp()
        sums = powers.sum(-1, keepdim=True)
        seen = torch.bmm(powers.to(x.dtype).view(rows * self.kv_heads, group * length, length), value)
        seen = (seen.view(rows, self.heads, length, self.head_dim) / sums).to(x.dtype)
        x = x + self.out(seen.transpose(1, 2).reshape(rows, length, -1))
        gate, up = self.gate_up(self.ffn_norm(x)).chunk(2, -1)
        return x + self.down(functional.silu(gate) * up)


def turn(x, cos, sin):
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


class Decoder(nn.Module):
    """`rows`, `manners`: which tokens share a row of `shared` (tokens.sharing). A token's embedding is that row, its manner
    and a part of its own: a name at the start of a sentence and in quotes begins as nearly the same vector."""

    def __init__(self, shape, rows, manners):
        super().__init__()
        self.shape = shape
        self.shared = nn.Parameter(torch.randn(shape.vocab, shape.hidden) * 0.02)
        self.own = nn.Parameter(torch.zeros(shape.vocab, shape.hidden))
        self.manner = nn.Parameter(torch.randn(6, shape.hidden) * 0.02)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.hidden, eps=shape.eps)
        self.register_buffer("rows", torch.tensor(rows), persistent=False)
        self.register_buffer("manners", torch.tensor(manners), persistent=False)
        self.register_buffer("speeds", shape.theta ** (-torch.arange(0, shape.head_dim, 2) / shape.head_dim), persistent=False)
        for block in self.blocks:
            for linear in (block.qkv, block.gate_up):
                nn.init.normal_(linear.weight, std=0.02 * (384 / shape.hidden) ** 0.5)
            for linear in (block.out, block.down):
                nn.init.normal_(linear.weight, std=0.02 / (2 * shape.layers) ** 0.5)

    def embedding(self):
        return self.shared[self.rows] + self.manner[self.manners] + self.own

    def trunk(self, x, positions, documents, branches):
        """`documents`: which of a row; `branches`: 0 for what all questions of a document see, else which of them."""
        seen = documents[:, :, None] == documents[:, None]
        seen &= (branches[:, None] == 0) | (branches[:, :, None] == branches[:, None])
        unseen = torch.where(seen.tril(), 0.0, -30_000.0).to(x.dtype)[:, None]
        angles = (positions[:, :, None] * self.speeds)[:, :, None]
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        for block in self.blocks:
            x = block(x, cos, sin, unseen)
        return x

    def forward(self, batch):
        """Weighted mean of the cross entropy where something is learnt, and the plain one."""
        table = self.embedding().to(self.blocks[0].out.weight.dtype)
        x = functional.embedding(batch["ids"], table)
        x = self.trunk(x, batch["positions"], batch["documents"], batch["branches"])
        logits = self.norm(x.flatten(0, 1)[batch["places"]]).to(table.dtype) @ table.T
        losses = functional.cross_entropy(logits.float(), batch["targets"], reduction="none")
        return (losses * batch["weights"]).sum() / batch["weights"].sum(), losses.mean().detach()

    @torch.no_grad()
    def load(self, tensors):
        """Goes on from `tensors()`, also of a shallower model: further layers begin as nothing added. What tokens share is
        learnt anew."""
        self.own.copy_(tensors["model.embed_tokens.weight"])
        self.shared.zero_()
        self.manner.zero_()
        self.norm.weight.copy_(tensors["model.norm.weight"])
        for index, block in enumerate(self.blocks):
            if f"model.layers.{index}.self_attn.o_proj.weight" not in tensors:
                block.out.weight.zero_()
                block.down.weight.zero_()
                continue
            at = lambda names: torch.cat([tensors[f"model.layers.{index}.{name}.weight"] for name in names.split()])
            block.qkv.weight.copy_(at("self_attn.q_proj self_attn.k_proj self_attn.v_proj"))
            block.out.weight.copy_(at("self_attn.o_proj"))
            block.gate_up.weight.copy_(at("mlp.gate_proj mlp.up_proj"))
            block.down.weight.copy_(at("mlp.down_proj"))
            block.attention_norm.weight.copy_(at("input_layernorm"))
            block.ffn_norm.weight.copy_(at("post_attention_layernorm"))

    def tensors(self):
        """Weights under the names of Hugging Face's Llama, in bfloat16."""
        shape, out = self.shape, {"model.embed_tokens.weight": self.embedding(), "model.norm.weight": self.norm.weight}
        inner, kv = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
        for index, block in enumerate(self.blocks):
            at = f"model.layers.{index}."
            q, k, v = block.qkv.weight.split([inner, kv, kv])
            gate, up = block.gate_up.weight.chunk(2)
            out |= {
                at + "self_attn.q_proj.weight": q, at + "self_attn.k_proj.weight": k, at + "self_attn.v_proj.weight": v, at + "self_attn.o_proj.weight": block.out.weight,
                at + "mlp.gate_proj.weight": gate, at + "mlp.up_proj.weight": up, at + "mlp.down_proj.weight": block.down.weight,
                at + "input_layernorm.weight": block.attention_norm.weight, at + "post_attention_layernorm.weight": block.ffn_norm.weight,
            }
        return {name: tensor.detach().to(torch.bfloat16).contiguous().clone() for name, tensor in out.items()}
