"""Draws lines of print as scanners and receipt printers give them: strips as PNG, what they say as JSON lines.

usage: render.py PAIRS.tsv OUT COUNT    (PAIRS: sentences, columns en and ms)
"""
import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FAMILIES = ["Liberation Sans", "Liberation Serif", "Liberation Mono", "Liberation Sans Narrow", "DejaVu Sans",
            "DejaVu Sans Mono", "DejaVu Serif", "DejaVu Sans Condensed", "Nimbus Mono PS", "Nimbus Sans Narrow",
            "Noto Sans", "Noto Serif", "Noto Mono", "C059", "P052", "OCR\\-A"]
CODES = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
LABELS = ["TOTAL", "Subtotal", "TAX INVOICE", "GST", "Qty", "Cash", "Change", "Invoice No", "Date", "Time", "Cashier",
          "Amount", "RM", "Tel", "Fax", "No", "SDN BHD", "Rounding", "Item", "Price", "Disc", "Table", "Balance", "Bill No",
          "Jalan", "Taman", "Lot", "Total Amt", "Incl", "Payable", "Visa Card", "Description", "U/Price", "Reg. No"]


def fonts():
    found = []
    for family in FAMILIES:
        out = subprocess.run(["fc-list", family, "file", "style"], capture_output=True, text=True).stdout
        for line in out.splitlines():
            path, _, style = line.partition(":")
            if "talic" not in style and "blique" not in style and path.endswith((".ttf", ".otf", ".ttc")):
                found.append(path.strip())
    return sorted(set(found))


def number(rng):
    kind = rng.randrange(9)
    digits = lambda n: "".join(rng.choice("0123456789") for _ in range(n))
    if kind == 0: return f"{rng.randrange(1, 999)}.{digits(2)}"
    if kind == 1: return f"{rng.randrange(1, 31):02}/{rng.randrange(1, 12):02}/{rng.choice(['2017', '2018', '18'])}"
    if kind == 2: return f"{rng.randrange(24):02}:{digits(2)}:{digits(2)}"
    if kind == 3: return f"0{digits(1)}-{digits(7)}"
    if kind == 4: return f"{rng.randrange(1, 99)},{digits(3)}.{digits(2)}"
    if kind == 5: return "".join(rng.choice(CODES) for _ in range(rng.randrange(4, 10)))
    if kind == 6: return f"({digits(6)}-{rng.choice('ABDHKMPTUVWX')})"
    if kind == 7: return str(rng.randrange(1, 99))
    return f"{rng.randrange(1, 12)}%"


def text(rng, sentences):
    kind = rng.randrange(6)
    if kind == 0:
        words = rng.choice(sentences).split()
        start = rng.randrange(len(words))
        line = " ".join(words[start:start + rng.randrange(2, 8)])
    elif kind == 1:
        line = rng.choice(LABELS) + rng.choice([":", " :", ": ", " : ", " ", ". "]) + number(rng)
    elif kind == 2:
        line = " ".join(number(rng) for _ in range(rng.randrange(1, 4)))
    elif kind == 3:
        line = " ".join(rng.choice([rng.choice(LABELS), number(rng), rng.choice(rng.choice(sentences).split())])
                        for _ in range(rng.randrange(2, 6)))
    elif kind == 4:
        line = rng.choice([", ", " & ", " - ", "-", "/", ",", " @ ", " x ", "* "]).join(
            rng.choice([rng.choice(LABELS), number(rng), rng.choice(rng.choice(sentences).split())])
            for _ in range(rng.randrange(2, 4)))
    else:
        line = f"{number(rng)} {rng.choice(LABELS)} ({rng.choice(LABELS)}) {number(rng)}"
    style = rng.random()
    line = line.upper() if style < 0.45 else line.title() if style < 0.55 else line
    return " ".join(line.split())


def strip(rng, line, path):
    size = rng.randrange(12, 40)
    font = ImageFont.truetype(path, size * 2)
    gap = rng.choice([0, 0, 0, 1, 2, -1]) * size // 12
    cell = font.getlength("0") * rng.uniform(0.95, 1.35) if rng.random() < 0.3 else 0  # Receipt printers: fixed cells.
    widths = [cell or font.getlength(char) + gap for char in line]
    left, top, right, bottom = font.getbbox(line)
    height = bottom - top
    margin = [height * rng.uniform(0.08, 0.3) for _ in range(4)]
    canvas = Image.new("L", (int(sum(widths) + margin[0] + margin[1]), int(height + margin[2] + margin[3])), 255)
    draw = ImageDraw.Draw(canvas)
    ink = rng.randrange(0, 110)
    if gap or cell:
        x = margin[0]
        for char, width in zip(line, widths):
            aside = (cell - font.getlength(char)) / 2 if cell else 0
            draw.text((x + aside, margin[2] - top), char, fill=ink, font=font)
            x += width
    else:
        draw.text((margin[0], margin[2] - top), line, fill=ink, font=font)
    canvas = canvas.rotate(rng.uniform(-0.6, 0.6), fillcolor=255, resample=Image.BICUBIC)
    canvas = canvas.resize((max(8, canvas.width // 2), max(8, canvas.height // 2)), Image.BILINEAR)
    if rng.random() < 0.6: canvas = canvas.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.045 * size)))
    pixels = np.asarray(canvas, dtype=np.float32)
    noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, rng.choice([0, 4, 10, 20]), pixels.shape)
    pixels = np.clip(pixels * rng.uniform(0.8, 1) + noise, 0, 255)
    if rng.random() < 0.25: pixels = np.where(pixels < rng.randrange(120, 190), 0, 255)
    return Image.fromarray(pixels.astype(np.uint8))


def main(pairs, out, count):
    rng = random.Random(11)
    sentences = [cell for row in Path(pairs).read_text(encoding="utf-8").splitlines()[1:] for cell in row.split("\t")]
    paths = fonts()
    Path(out).mkdir(parents=True, exist_ok=True)
    with open(Path(out) / "lines.jsonl", "w", encoding="utf-8") as index:
        for number_ in range(count):
            line = text(rng, sentences)
            strip(rng, line, rng.choice(paths)).save(Path(out) / f"{number_}.png")
            index.write(json.dumps({"file": f"{number_}.png", "text": line}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
