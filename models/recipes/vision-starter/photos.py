"""Procedural photographs: dead leaves under 1/f textures, outdoor scenes by day and night, rooms. `python photos.py OUT COUNT`.

They carry the statistics of camera pictures (power-law spectra, occlusion, shading, blur, grain), not their content: what is
learnt from them is "a photograph", its light, and roughly indoors or outdoors. No real photo is used.
"""

import json
import sys
from pathlib import Path

import cv2
import numpy as np

KINDS = ("leaves", "leaves", "day", "day", "night", "room", "room", "desk", "portrait")


SIDE = 512
fields = {}


def field(power, number):
    """A periodic 1/f^power field, 0 to 1, made once."""
    if (power, number) not in fields:
        rng = np.random.default_rng([int(power * 10), number])
        scale = 1 / np.maximum(np.hypot(np.fft.fftfreq(SIDE)[:, None], np.fft.rfftfreq(SIDE)[None]), 1 / SIDE) ** power
        made = np.fft.irfft2(scale * (rng.normal(size=scale.shape) + 1j * rng.normal(size=scale.shape)), s=(SIDE, SIDE))
        low, high = np.percentile(made, (1, 99))
        fields[power, number] = np.clip((made - low) / (high - low), 0, 1).astype(np.float32)
    return fields[power, number]


def noise(rng, h, w, power=1.0):
    """1/f^power noise, 0 to 1: a part of one of many fields, mirrored at random."""
    made = field(round(power * 5) / 5, int(rng.integers(12)))
    y, x = rng.integers(SIDE, size=2)
    part = np.take(np.take(made, np.arange(y, y + h) % SIDE, 0), np.arange(x, x + w) % SIDE, 1)
    return part[:: rng.choice((-1, 1)), :: rng.choice((-1, 1))]


def color(rng, low=0.1, high=0.9, saturation=0.6):
    value = rng.uniform(low, high)
    hsv = np.uint8([[[rng.integers(180), 255 * rng.uniform(0, saturation), 255 * value]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32) / 255


def textured(rng, h, w, base, strength=None):
    strength = rng.uniform(0.05, 0.5) if strength is None else strength
    grain = noise(rng, h, w, rng.uniform(0.5, 1.6))
    if rng.random() < 0.2:
        angle, period = rng.uniform(0, np.pi), rng.uniform(4, 40)
        y, x = np.mgrid[:h, :w]
        grain = 0.5 * grain + 0.5 * (0.5 + 0.5 * np.sin((x * np.cos(angle) + y * np.sin(angle)) * 2 * np.pi / period)).astype(np.float32)
    return np.clip(base * (1 + strength * (2 * grain[..., None] - 1)), 0, 1)


def shaded(rng, h, w):
    """A soft light falling over the picture, around 1."""
    y, x = np.mgrid[:h, :w].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    ramp = (np.cos(angle) * x / w + np.sin(angle) * y / h)
    return 1 + rng.uniform(0.1, 0.6) * (ramp - ramp.mean())


def blob(rng, h, w, cx, cy, size):
    """A mask of a random outline: ellipse, polygon, rectangle or wobbly blob."""
    mask = np.zeros((h, w), np.uint8)
    kind = rng.random()
    if kind < 0.3:
        cv2.ellipse(mask, (int(cx), int(cy)), (int(size) + 1, int(size * rng.uniform(0.3, 1)) + 1), rng.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA)
    else:
        n = 4 if kind < 0.5 else rng.integers(5, 24)
        angles = np.sort(rng.uniform(0, 2 * np.pi, n)) if kind < 0.7 else np.linspace(0, 2 * np.pi, n, endpoint=False)
        radius = size * rng.uniform(0.6, 1.2, n)
        points = np.stack([cx + radius * np.cos(angles), cy + radius * np.sin(angles) * rng.uniform(0.4, 1.3)], 1)
        cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
    return mask.astype(np.float32)[..., None] / 255


def put(image, mask, layer):
    image *= 1 - mask
    image += layer * mask


def leaves(rng, h, w):
    image = textured(rng, h, w, color(rng)) * shaded(rng, h, w)[..., None]
    saturation = rng.uniform(0.1, 0.8)
    sheets = [textured(rng, h, w, color(rng, saturation=saturation)) for _ in range(8)]
    for _ in range(rng.integers(8, 70)):
        size = min(h, w) * 0.03 * (1 - rng.random() * 0.93) ** -0.9
        mask = blob(rng, h, w, rng.uniform(0, w), rng.uniform(0, h), min(size, min(h, w) * 0.5))
        light = np.clip(shaded(rng, h, w), 0.3, 1.7)[..., None]
        shadow = np.roll(cv2.GaussianBlur(mask, (0, 0), 4)[..., None], (4, 3), (0, 1))
        image *= 1 - 0.4 * shadow
        put(image, mask, np.clip(sheets[rng.integers(8)] * color(rng, 0.5, 1, 0.3) * 1.5 * light, 0, 1))
    return image


def ridge(rng, h, w, level, rough):
    line = noise(rng, 2, w, rng.uniform(1.2, 2.2))[0]
    top = level - rough * h * line
    return (np.arange(h)[:, None] > top[None]).astype(np.float32)[..., None]


def building(rng, image, x, base, width, height, night):
    tone = color(rng, 0.05, 0.2, 0.3) if night else color(rng, 0.3, 0.9, 0.4)
    h, w = image.shape[:2]
    x0, x1, y0 = max(int(x), 0), min(int(x + width), w), max(int(base - height), 0)
    base = min(int(base), h)
    if x1 - x0 < 4 or base - y0 < 4:
        return
    image[y0:base, x0:x1] = textured(rng, base - y0, x1 - x0, tone, 0.15)
    step = rng.integers(6, 18)
    for wy in range(y0 + step // 2, base - step // 2, step):
        for wx in range(x0 + 3, x1 - step // 2, step):
            lit = rng.random() < (0.5 if night else 0.1)
            shade = np.float32([0.4, 0.8, 1.0]) * rng.uniform(0.6, 1) if lit else tone * rng.uniform(0.4, 0.8)
            image[wy : wy + step // 2, wx : wx + step // 2] = shade


def tree(rng, image, x, base, size, night):
    h, w = image.shape[:2]
    green = color(rng, 0.05, 0.12) if night else np.float32([0.1, rng.uniform(0.25, 0.6), rng.uniform(0.1, 0.5)])
    cv2.line(image, (int(x), int(base)), (int(x), int(base - size)), tuple(float(v) for v in np.float32([0.15, 0.25, 0.35]) * (0.3 if night else 1)), max(1, int(size / 12)))
    sheet = textured(rng, h, w, green, 0.7)
    for _ in range(rng.integers(3, 9)):
        mask = blob(rng, h, w, x + rng.normal() * size * 0.25, base - size * rng.uniform(0.6, 1.2), size * rng.uniform(0.15, 0.4))
        put(image, mask * (noise(rng, h, w, 0.6)[..., None] > 0.35), sheet)


def outdoors(rng, h, w, night):
    horizon = h * rng.uniform(0.3, 0.75)
    up = np.linspace(0, 1, h, dtype=np.float32)[:, None, None]
    if night:
        top, bottom = color(rng, 0.0, 0.1), color(rng, 0.03, 0.25, 0.8)
    else:
        top = np.float32([rng.uniform(0.6, 1), rng.uniform(0.4, 0.8), rng.uniform(0.15, 0.7)])
        bottom = np.clip(top + rng.uniform(-0.1, 0.4), 0, 1) if rng.random() < 0.8 else np.float32([0.4, 0.6, 0.95])
    image = np.broadcast_to(top * (1 - up) + bottom * up, (h, w, 3)).copy()
    cloud = np.clip((noise(rng, h, w, rng.uniform(1.2, 1.8)) - rng.uniform(0.2, 0.8)) * 2.5, 0, 1)[..., None]
    put(image, cloud * (0.2 if night else 0.9), np.full_like(image, 0.2 if night else rng.uniform(0.75, 1)))
    dim = 0.15 if night else 1.0
    for depth in range(rng.integers(0, 4)):
        layer = textured(rng, h, w, color(rng, 0.15, 0.6) * dim)
        put(image, ridge(rng, h, w, horizon + depth * 0.05 * h, rng.uniform(0.05, 0.4)), layer)
    if rng.random() < 0.6:
        x = -20.0
        while x < w:
            width = rng.uniform(0.05, 0.25) * w
            if rng.random() < 0.8:
                building(rng, image, x, horizon + 0.03 * h, width, rng.uniform(0.05, 0.5) * h, night)
            x += width * rng.uniform(0.8, 1.6)
    ground = textured(rng, h, w, color(rng, 0.2, 0.7) * dim)
    squash = np.clip((np.arange(h) - horizon) / max(1, h - horizon), 0, 1)
    put(image, (np.arange(h)[:, None, None] > horizon + 0.03 * h).astype(np.float32) * np.ones((1, w, 1), np.float32), ground * (0.7 + 0.5 * squash[:, None, None].astype(np.float32)))
    if rng.random() < 0.5:  # a road or path to the vanishing point
        vanish = rng.uniform(0.2, 0.8) * w
        mask = np.zeros((h, w), np.uint8)
        cv2.fillPoly(mask, [np.int32([[vanish - 3, horizon], [vanish + 3, horizon], [rng.uniform(0.6, 1.3) * w, h], [rng.uniform(-0.3, 0.4) * w, h]])], 255)
        put(image, mask[..., None] / np.float32(255), textured(rng, h, w, color(rng, 0.25, 0.6, 0.15) * dim, 0.15))
    for _ in range(rng.integers(0, 5)):
        depth = rng.random()
        tree(rng, image, rng.uniform(0, w), horizon + depth * (h - horizon), h * (0.1 + 0.5 * depth), night)
    for _ in range(rng.integers(0, 6)):  # things standing about
        depth = rng.random()
        size = h * (0.03 + 0.12 * depth)
        mask = blob(rng, h, w, rng.uniform(0, w), horizon + depth * (h - horizon), size)
        put(image, mask, textured(rng, h, w, color(rng) * dim) * np.clip(shaded(rng, h, w), 0.4, 1.6)[..., None])
    if night:
        glow = np.zeros_like(image)
        for _ in range(rng.integers(3, 40)):
            at = (int(rng.uniform(0, w)), int(rng.uniform(0.3 * h, h)))
            cv2.circle(glow, at, int(rng.integers(1, 5)), tuple(float(v) for v in color(rng, 0.8, 1, 0.7)), -1)
        image += glow + 2.5 * cv2.GaussianBlur(glow, (0, 0), rng.uniform(4, 14))
    return np.clip(image, 0, 1)


def room(rng, h, w):
    """A box in one-point perspective with furniture, a window or lamp, pictures."""
    left, right, top, bottom = w * rng.uniform(0, 0.35), w * rng.uniform(0.65, 1), h * rng.uniform(0, 0.3), h * rng.uniform(0.5, 0.85)
    back = [(left, top), (right, top), (right, bottom), (left, bottom)]
    outer = [(0, 0), (w, 0), (w, h), (0, h)]
    image = textured(rng, h, w, color(rng, 0.5, 0.95, 0.35), 0.05)
    base = color(rng, 0.5, 0.95, 0.35)
    for side in range(4):
        mask = np.zeros((h, w), np.uint8)
        quad = np.int32([outer[side], outer[(side + 1) % 4], back[(side + 1) % 4], back[side]])
        cv2.fillPoly(mask, [quad], 255, cv2.LINE_AA)
        tone = color(rng, 0.2, 0.7, 0.6) if side == 2 else base * rng.uniform(0.75, 1.05)
        put(image, mask[..., None] / np.float32(255), textured(rng, h, w, tone, 0.3 if side == 2 else 0.06))
    for _ in range(rng.integers(0, 3)):  # windows, pictures, doors on the back wall
        x, y = rng.uniform(left, right), rng.uniform(top, bottom)
        dx, dy = (right - left) * rng.uniform(0.08, 0.3), (bottom - top) * rng.uniform(0.15, 0.4)
        cv2.rectangle(image, (int(x - 4), int(y - 4)), (int(x + dx + 4), int(y + dy + 4)), tuple(float(v) for v in color(rng, 0.1, 1, 0.4)), -1)
        y0, y1, x0, x1 = max(int(y), 0), min(int(y + dy), h), max(int(x), 0), min(int(x + dx), w)
        if y1 - y0 > 3 and x1 - x0 > 3:
            bright = color(rng, 0.9, 1, 0.1) if rng.random() < 0.5 else color(rng)
            image[y0:y1, x0:x1] = textured(rng, y1 - y0, x1 - x0, bright, 0.3)
    for _ in range(rng.integers(2, 9)):  # furniture: boxes with a top and a side
        depth = rng.random() ** 0.6
        size = h * (0.08 + 0.35 * depth)
        x, floor = rng.uniform(-0.1, 1) * w, bottom + (h - bottom) * depth
        wide, tall = size * rng.uniform(0.5, 2), size * rng.uniform(0.3, 1.4)
        tone, lid = color(rng, 0.1, 0.9), size * rng.uniform(0.05, 0.3)
        lean = (w / 2 - x) / w * lid * 2
        for quad, light in (
            ([(x, floor), (x + wide, floor), (x + wide, floor - tall), (x, floor - tall)], 0.8),
            ([(x, floor - tall), (x + wide, floor - tall), (x + wide + lean, floor - tall - lid), (x + lean, floor - tall - lid)], 1.15),
        ):
            mask = np.zeros((h, w), np.uint8)
            cv2.fillPoly(mask, [np.int32(quad)], 255, cv2.LINE_AA)
            put(image, mask[..., None] / np.float32(255), textured(rng, h, w, np.clip(tone * light, 0, 1), 0.15))
        for _ in range(rng.integers(0, 4)):
            mask = blob(rng, h, w, x + wide * rng.random(), floor - tall - lid / 2, size * rng.uniform(0.04, 0.2))
            put(image, mask, textured(rng, h, w, color(rng)) * np.clip(shaded(rng, h, w), 0.4, 1.6)[..., None])
    y, x = np.mgrid[:h, :w].astype(np.float32)
    lamp = np.exp(-((x - rng.uniform(0, w)) ** 2 + (y - rng.uniform(0, h * 0.5)) ** 2) / (2 * (rng.uniform(0.3, 0.9) * w) ** 2))
    return np.clip(image * (rng.uniform(0.4, 0.7) + 0.7 * lamp[..., None]) * np.float32([rng.uniform(0.7, 1), rng.uniform(0.9, 1), 1]), 0, 1)


def desk(rng, h, w):
    image = textured(rng, h, w, color(rng, 0.2, 0.85, 0.5), rng.uniform(0.05, 0.3))
    if rng.random() < 0.5:  # wood grain
        grain = cv2.resize(noise(rng, h, max(8, w // 16), 1.0), (w, h))
        image *= 0.75 + 0.5 * grain[..., None]
    for _ in range(rng.integers(0, 7)):
        mask = blob(rng, h, w, rng.uniform(0, w), rng.uniform(0, h), h * rng.uniform(0.03, 0.2))
        image *= 1 - 0.5 * np.roll(cv2.GaussianBlur(mask, (0, 0), 6)[..., None], (6, 4), (0, 1))
        put(image, mask, textured(rng, h, w, color(rng)) * np.clip(shaded(rng, h, w), 0.4, 1.6)[..., None])
    return np.clip(image * shaded(rng, h, w)[..., None], 0, 1)


def portrait(rng, h, w):
    """Head and shoulders without a face: ovals of skin and hair tone on a backdrop."""
    image = textured(rng, h, w, color(rng, 0.4, 1, 0.5), 0.08)
    skin = np.float32([0.45, 0.6, 0.8]) * rng.uniform(0.4, 1.2)
    cx, cy, size = w * rng.uniform(0.4, 0.6), h * rng.uniform(0.35, 0.5), min(h, w) * rng.uniform(0.16, 0.24)
    light = np.clip(shaded(rng, h, w), 0.6, 1.4)[..., None]

    def oval(x, y, a, b, tone):
        mask = np.zeros((h, w), np.uint8)
        cv2.ellipse(mask, (int(x), int(y)), (max(1, int(a)), max(1, int(b))), 0, 0, 360, 255, -1, cv2.LINE_AA)
        put(image, cv2.GaussianBlur(mask, (0, 0), 1.2)[..., None] / np.float32(255), np.clip(textured(rng, h, w, tone, 0.12) * light, 0, 1))

    hair = color(rng, 0.02, 0.4, 0.5)
    oval(cx, h * 1.05, size * 2.1, h * 1.05 - cy - size * 1.3, color(rng))
    oval(cx, cy - size * 0.2, size * 1.15, size * 1.4, hair)
    oval(cx, cy + size * 1.2, size * 0.45, size * 0.8, np.clip(skin * 0.9, 0, 1))
    oval(cx, cy + size * 0.1, size * 0.9, size * 1.2, np.clip(skin, 0, 1))
    for side in (-1, 1):
        oval(cx + side * size * 0.38, cy, size * 0.14, size * 0.07, np.float32([0.1, 0.1, 0.15]))
    oval(cx, cy + size * 0.65, size * 0.3, size * 0.08, np.clip(skin * np.float32([0.7, 0.6, 0.9]), 0, 1))
    return image


def camera(rng, image):
    """Depth blur, tone, vignette, grain."""
    h, w = image.shape[:2]
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(1, 5))
        focus = np.clip(noise(rng, h, w, 2.0) * 2 - rng.uniform(0, 1), 0, 1)[..., None]
        image = image * (1 - focus) + soft * focus
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j]
    image = image * (1 - rng.uniform(0, 0.35) * (x**2 + y**2) / 2)[..., None]
    image = np.clip(image, 0, 1) ** rng.uniform(0.7, 1.4) * rng.uniform(0.8, 1.1) + rng.normal(size=image.shape) * rng.uniform(0.002, 0.03)
    if rng.random() < 0.06:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    return np.uint8(np.clip(image, 0, 1) * 255)


def photo(rng):
    """(picture BGR uint8, its attributes)"""
    kind = KINDS[rng.integers(len(KINDS))]
    long, short = 480, int(480 * rng.uniform(0.6, 0.8))
    h, w = (long, short) if kind == "portrait" or rng.random() < 0.25 else (short, long)
    make = {"leaves": leaves, "room": room, "desk": desk, "portrait": portrait}.get(kind)
    image = make(rng, h, w) if make else outdoors(rng, h, w, kind == "night")
    attributes = {"day": ["outdoors", "day"], "night": ["outdoors", "night"], "room": ["indoors"], "desk": ["indoors"]}.get(kind)
    return camera(rng, image), {"kind": kind, "attributes": attributes}


def main():
    out, count = Path(sys.argv[1]), int(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    facts = []
    for at in range(count):
        image, fact = photo(np.random.default_rng(at))
        cv2.imwrite(str(out / f"{at:05}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 88])
        facts.append(fact)
    (out / "facts.json").write_text(json.dumps(facts))


if __name__ == "__main__":
    main()
