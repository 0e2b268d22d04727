"""Batches of degraded pictures, made by worker processes while the networks train."""

import json
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import torch

from degrade import degrade
from labels import ATTRIBUTES, KINDS, OBJECTS

# One picture in forty is never trained on.
HELD = 40
# Side of what the scene classifier sees.
SCENE = 256
RELIST_S = 45
# Rare labels, of which this many pieces each are laid over other pictures, in this share of the pictures.
PASTED = (
    "dialog", "bar_chart", "line_chart", "pie_chart", "scatter_chart", "diagram", "map", "logo", "qr_code", "barcode", "signature", "stamp",
    "id_card", "receipt", "mrz", "keyboard", "table", "form", "button",
)
PIECES, PASTING = 60, 0.5
# (which pictures, by how many cells of 64 the canvas is taller and narrower than a square), and how often.
SHAPES = (("train", 0), ("tall", 1), ("wide", -1), ("wide", -2))
SHAPE_SHARES = (0.1, 0.45, 0.2, 0.25)


def read(path, half=False):
    return cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_2 if half else cv2.IMREAD_COLOR)


class Drawn:
    """The pictures drawn so far; looks again now and then while the drawing goes on."""

    def __init__(self, folder):
        self.folder, self.listed, self.facts = Path(folder), 0.0, {}

    def names(self):
        if time.monotonic() - self.listed > RELIST_S:
            self.listed = time.monotonic()
            for path in self.folder.glob("*.json"):
                if path.stem not in self.facts:
                    self.facts[path.stem] = json.loads(path.read_text())
            self.train = [name for name in sorted(self.facts) if int(name) % HELD]
            self.tall = [name for name in self.train if self.facts[name]["height"] >= self.facts[name]["width"]]
            self.wide = [name for name in self.train if self.facts[name]["height"] < self.facts[name]["width"]]
            self.shares = {shape: self.share(getattr(self, shape)) for shape in ("train", "tall", "wide")}
        return self

    def share(self, names):
        """How often each is drawn: those with rare labels more, by the root of how rare."""
        labels = [{box[0] for box in self.facts[name]["boxes"]} for name in names]
        counts = Counter(label for each in labels for label in each)
        weights = np.array([max((counts[label] ** -0.5 for label in each), default=len(names) ** -0.5) for each in labels])
        return weights / weights.sum()

    def held(self):
        return [name for name in sorted(self.names().facts) if int(name) % HELD == 0]

    def picture(self, name):
        return read(self.folder / f"{name}.jpg"), [tuple(box) for box in self.facts[name]["boxes"]], self.facts[name]["kind"]


class Pieces:
    """Things cut out of drawn pictures; laid over others they show each label about as often as the rest."""

    def __init__(self, drawn, rng):
        at = {label: [] for label in PASTED}
        for name in drawn.train:
            for label in {box[0] for box in drawn.facts[name]["boxes"]} & set(PASTED):
                at[label].append(name)
        self.kept = {}
        for label, names in at.items():
            chosen = rng.permutation(names)[:PIECES]
            self.kept[label] = [self.cut(rng, *drawn.picture(name)[:2], label) for name in chosen]

    def cut(self, rng, image, boxes, label):
        """(picture at most 400 px long, its boxes, that of the thing itself first)"""
        h, w = image.shape[:2]
        own = [box for box in boxes if box[0] == label]
        _, x0, y0, x1, y1 = own[rng.integers(len(own))]
        x0, y0, x1, y1 = max(0, int(x0)), max(0, int(y0)), min(w, int(np.ceil(x1))), min(h, int(np.ceil(y1)))
        fit = min(1, 400 / max(x1 - x0, y1 - y0))
        size = (max(1, round((x1 - x0) * fit)), max(1, round((y1 - y0) * fit)))
        inside = [
            (name, (a - x0) * fit, (b - y0) * fit, (c - x0) * fit, (d - y0) * fit)
            for name, a, b, c, d in boxes
            if name != label and a >= x0 - 2 and b >= y0 - 2 and c <= x1 + 2 and d <= y1 + 2
        ]
        return cv2.resize(image[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA), [(label, 0, 0, *size), *inside]

    def over(self, rng, image, boxes):
        """The picture with up to three pieces on it; what they cover loses its box."""
        image = image.copy()
        h, w = image.shape[:2]
        for _ in range(rng.integers(1, 4)):
            kept = self.kept[PASTED[rng.integers(len(PASTED))]]
            piece, own = kept[rng.integers(len(kept))]
            ph, pw = piece.shape[:2]
            fit = min(rng.uniform(0.5, 1.6), 0.85 * w / pw, 0.85 * h / ph)
            wide, high = max(4, int(pw * fit)), max(4, int(ph * fit))
            x, y = int(rng.integers(0, w - wide + 1)), int(rng.integers(0, h - high + 1))
            image[y : y + high, x : x + wide] = cv2.resize(piece, (wide, high), interpolation=cv2.INTER_AREA if fit < 1 else cv2.INTER_LINEAR)
            free = []
            for box in boxes:
                _, a, b, c, d = box
                covered = max(0, min(c, x + wide) - max(a, x)) * max(0, min(d, y + high) - max(b, y))
                if covered <= 0.3 * (c - a) * (d - b):
                    free.append(box)
            sx, sy = wide / pw, high / ph
            boxes = [*free, *((label, x + a * sx, y + b * sy, x + c * sx, y + d * sy) for label, a, b, c, d in own)]
        return image, boxes


class Photos:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.facts = json.loads((self.folder / "facts.json").read_text())

    def ground(self, rng):
        """Any picture, to lie under paper or stand for a scene without labels."""
        return read(self.folder / f"{rng.integers(len(self.facts)):05}.jpg")

    def some(self, rng):
        at = rng.integers(len(self.facts))
        return read(self.folder / f"{at:05}.jpg"), self.facts[at]["attributes"]


def box_batch(samples):
    """(pixels uint8 (n, 3, H, W) RGB, [boxes (k, 5): label, x0, y0, x1, y1])"""
    pixels = np.stack([sample[0][..., ::-1].transpose(2, 0, 1) for sample in samples])
    boxes = [torch.tensor([[OBJECTS.index(label), *box] for label, *box in sample[1]], dtype=torch.float32).reshape(-1, 5) for sample in samples]
    return torch.from_numpy(np.ascontiguousarray(pixels)), boxes


class DetectorBatches(torch.utils.data.IterableDataset):
    """Endless batches of canvases near the area of a square of this edge."""

    def __init__(self, renders, photos, batch, edge, seed):
        self.renders, self.photos, self.batch, self.edge, self.seed = renders, photos, batch, edge, seed

    def __iter__(self):
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        drawn, photos = Drawn(self.renders).names(), Photos(self.photos)
        pieces = Pieces(drawn, rng)
        while True:
            drawn.names()
            # Few squares: a picture of another shape leaves half of them empty.
            pool, shape = SHAPES[rng.choice(len(SHAPES), p=SHAPE_SHARES)]
            names, shares = getattr(drawn, pool), drawn.shares[pool]
            size = self.edge + 64 * shape, self.edge - 64 * shape
            samples = []
            while len(samples) < self.batch:
                if rng.random() < 0.03:  # photographs hold none of the labels
                    image, boxes, kind = photos.ground(rng), [], "photograph"
                else:
                    image, boxes, kind = drawn.picture(names[rng.choice(len(names), p=shares)])
                    if rng.random() < PASTING:
                        image, boxes = pieces.over(rng, image, boxes)
                samples.append(degrade(rng, image, boxes, kind, size, 0.55, photos.ground(rng)))
            yield box_batch(samples)


def scene_pixels(rng, image, kind, photos, train):
    """Letterboxed in the middle on gray, as the engine does it; when training also cropped and degraded."""
    if train:
        h, w = image.shape[:2]
        fit = SCENE / max(h, w)
        size = (max(16, round(h * fit)), max(16, round(w * fit)))
        image = degrade(rng, image, [], kind, size, 0.35 if kind != "desktop" else 0.0, photos.ground(rng))[0]
    h, w = image.shape[:2]
    fit = SCENE / max(h, w)
    small = cv2.resize(image, (max(1, round(w * fit)), max(1, round(h * fit))), interpolation=cv2.INTER_AREA)
    canvas = np.full((SCENE, SCENE, 3), 114, np.uint8)
    y, x = (SCENE - small.shape[0]) // 2, (SCENE - small.shape[1]) // 2
    canvas[y : y + small.shape[0], x : x + small.shape[1]] = small
    return canvas[..., ::-1].transpose(2, 0, 1)


def cut_out(image, boxes, kind):
    """A card or receipt without its surroundings, as scanners and people crop them; `image` is at half size."""
    for label, *box in boxes:
        if label == kind:
            x0, y0, x1, y1 = (max(0, round(side / 2)) for side in box)
            return image[y0:y1, x0:x1]
    return image


class SceneBatches(torch.utils.data.IterableDataset):
    """Endless (pixels, kind, attributes; −1 where unknown), kinds in equal shares, photographs twice."""

    def __init__(self, renders, photos, batch, seed):
        self.renders, self.photos, self.batch, self.seed = renders, photos, batch, seed

    def __iter__(self):
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        drawn, photos = Drawn(self.renders).names(), Photos(self.photos)
        by_kind = {kind: [name for name in drawn.train if drawn.facts[name]["kind"] == kind] for kind in KINDS}
        deck = [*KINDS, "photograph", "photograph"]
        while True:
            pixels, kinds, attributes = [], [], []
            for _ in range(self.batch):
                kind = deck[rng.integers(len(deck))]
                known = None
                if kind == "photograph":
                    image, known = photos.some(rng)
                    if rng.random() < 0.5:
                        image = image[:, ::-1]
                else:
                    name = by_kind[kind][rng.integers(len(by_kind[kind]))]
                    image = read(drawn.folder / f"{name}.jpg", half=True)
                    if rng.random() < 0.5:
                        image = cut_out(image, drawn.facts[name]["boxes"], kind)
                pixels.append(scene_pixels(rng, image, kind, photos, True))
                kinds.append(KINDS.index(kind))
                attributes.append([-1.0] * 4 if known is None else [float(name in known) for name in ATTRIBUTES])
                if known == ["indoors"]:
                    attributes[-1][2:] = [-1.0, -1.0]
            yield torch.from_numpy(np.stack(pixels)), torch.tensor(kinds), torch.tensor(attributes)
