"""A small model for python_factory.yaml: blocks of gated linear layers whose results are scaled before they are added."""
import torch
from torch.nn import functional

VOCABULARY, WIDTH, DEPTH = 256, 64, 4


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(WIDTH)
        self.gate = torch.nn.Linear(WIDTH, 4 * WIDTH)
        self.up = torch.nn.Linear(WIDTH, 4 * WIDTH)
        self.down = torch.nn.Linear(4 * WIDTH, WIDTH)
        self.scale = DEPTH**-0.5

    def forward(self, x):
        normed = self.norm(x)
        return x + self.scale * self.down(functional.silu(self.gate(normed)) * self.up(normed))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(VOCABULARY, WIDTH)
        self.blocks = torch.nn.ModuleList(Block() for _ in range(DEPTH))
        self.head = torch.nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def make():
    """The model, and its loss of tokens [batch, T+1]."""
    model = Model()

    def loss(tokens):
        logits = model(tokens[:, :-1]).float()
        return functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())

    return model, loss


def without_scale(model):
    for block in model.blocks:
        block.scale = 1.0
