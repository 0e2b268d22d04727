"""What happens to a picture on its way: crop and zoom, scan skew, a camera over a desk, blur, fax, ink, light, noise, JPEG."""

import cv2
import numpy as np

PAPER = {"invoice", "letter", "form", "report"}
# A part of these is still one of these; of the others, less than 0.6 is nothing.
SPREADING = {"window", "table", "code", "text_block", "form", "map", "photo", "page", "receipt", "diagram"}


def corners(w, h):
    return np.float32([[0, 0], [w, 0], [w, h], [0, h]])


def placed(rng, w, h, kind, size, zoom):
    """(homography from the picture to the canvas, whether a camera took it). `zoom`: how likely only a part is seen."""
    height, width = size
    camera = kind in PAPER | {"receipt", "id_card", "passport"} and rng.random() < 0.22 or rng.random() < 0.03
    source = corners(w, h)
    if camera:
        jitter = 0.09 * min(w, h)
        target = source + rng.uniform(-jitter, jitter, (4, 2)).astype(np.float32)
        turn = rng.uniform(-9, 9)
    else:
        target, turn = source, rng.uniform(-2.5, 2.5) if kind in PAPER and rng.random() < 0.35 else 0
    base = cv2.getPerspectiveTransform(source, np.float32(target)).astype(np.float64)
    if turn:
        base = np.vstack([cv2.getRotationMatrix2D((w / 2, h / 2), turn, 1), [0, 0, 1]]) @ base
    around = cv2.perspectiveTransform(source[None], base)[0]
    low, high = around.min(0), around.max(0)
    if camera:
        room = (high - low) * rng.uniform(0, 0.22, 2)
        low, high = low - room * rng.random(2), high + room * rng.random(2)
    if rng.random() < zoom:
        share = rng.uniform(0.4, 0.97)
        span = high - low
        # A part of the shape of the canvas, so that little of it is padding.
        tall = min(span[1], span[0] * height / width) * share * rng.uniform(0.85, 1.2)
        wide = min(span[0], tall * width / height * rng.uniform(0.85, 1.2))
        low = low + (span - [wide, tall]) * rng.random(2)
        high = low + [wide, tall]
    span = np.maximum(high - low, 8)
    scale = min(width / span[0], height / span[1])
    if rng.random() < 0.25:
        scale *= rng.uniform(0.55, 1)
    stretch = np.float64([rng.uniform(0.93, 1.07), rng.uniform(0.93, 1.07)]) * scale
    free = np.float64([width, height]) - span * stretch
    # Mostly padded right and below, as the engine does.
    shift = np.where(free > 0, free * (0 if rng.random() < 0.7 else rng.random(2)), free / 2)
    fit = np.float64([[stretch[0], 0, shift[0] - low[0] * stretch[0]], [0, stretch[1], shift[1] - low[1] * stretch[1]], [0, 0, 1]])
    return fit @ base, camera, (shift, span * stretch)


def warp(image, matrix, size, fill, flags=cv2.INTER_LINEAR):
    """Warps with a shrink by areas first, so that thin lines survive."""
    scale = np.sqrt(abs(np.linalg.det(matrix[:2, :2])))
    if scale < 0.75:
        h, w = image.shape[:2]
        small = (max(8, round(w * scale * 1.15)), max(8, round(h * scale * 1.15)))
        image = cv2.resize(image, small, interpolation=cv2.INTER_AREA)
        matrix = matrix @ np.diag([w / small[0], h / small[1], 1.0])
    border = cv2.BORDER_REPLICATE if fill is None else cv2.BORDER_CONSTANT
    return cv2.warpPerspective(image, matrix, size[::-1], flags=flags, borderMode=border, borderValue=fill or 0)


def move_boxes(boxes, matrix, window):
    """[(label, x0, y0, x1, y1)] through the homography, clipped to the window; parts too small are dropped."""
    if not boxes:
        return []
    flat = np.float32([box[1:] for box in boxes])
    quads = flat[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
    moved = cv2.perspectiveTransform(quads.reshape(1, -1, 2), matrix)[0].reshape(-1, 4, 2)
    # Between the outer box and the one through the middles of the turned sides.
    low, high = moved.min(1), moved.max(1)
    x0, y0, x1, y1 = window
    found = []
    for (label, *_), (left, top), (right, bottom) in zip(boxes, low, high):
        area = (right - left) * (bottom - top)
        left, top, right, bottom = max(left, x0), max(top, y0), min(right, x1), min(bottom, y1)
        seen = max(0, right - left) * max(0, bottom - top) / max(area, 1e-6)
        if seen >= (0.25 if label in SPREADING else 0.6) and min(right - left, bottom - top) >= 2.5:
            found.append((label, left, top, right, bottom))
    return found


def fax(rng, image):
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if rng.random() < 0.5:
        gray = cv2.GaussianBlur(gray, (0, 0), rng.uniform(0.4, 1))
    line = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 25, rng.uniform(8, 25)) if rng.random() < 0.5 else np.uint8(gray > rng.uniform(110, 200)) * 255
    specks = rng.random(gray.shape) < rng.uniform(0, 0.004)
    line[specks] = 255 - line[specks]
    return cv2.cvtColor(line, cv2.COLOR_GRAY2BGR)


def light(rng, image, strength):
    h, w = image.shape[:2]
    coarse = rng.uniform(1 - strength, 1 + strength * 0.3, (rng.integers(2, 4), rng.integers(2, 4))).astype(np.float32)
    field = cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.3:  # the edge of a shadow
        y, x = np.mgrid[:h, :w]
        angle = rng.uniform(0, 2 * np.pi)
        side = np.cos(angle) * (x - rng.uniform(0.2, 0.8) * w) + np.sin(angle) * (y - rng.uniform(0.2, 0.8) * h)
        field = field * (1 - rng.uniform(0.1, 0.5) / (1 + np.exp(-side / rng.uniform(2, 20)))).astype(np.float32)
    return image * field[..., None]


def tones(rng, image, kind, camera):
    paper = kind in PAPER | {"receipt", "passport", "id_card"}
    if paper and not camera and rng.random() < 0.1:
        return fax(rng, image)
    soft = rng.random()
    if camera or soft < 0.25:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.3))
    elif soft < 0.3:
        n = rng.integers(3, 7)
        kernel = np.zeros((n, n), np.float32)
        kernel[n // 2] = 1 / n
        image = cv2.filter2D(image, -1, cv2.warpAffine(kernel, cv2.getRotationMatrix2D((n / 2, n / 2), rng.uniform(0, 180), 1), (n, n)))
    work = image.astype(np.float32)
    if camera or (paper and rng.random() < 0.25):
        work = light(rng, work, rng.uniform(0.05, 0.45))
    if rng.random() < 0.5:
        work = (work - 128) * rng.uniform(0.6, 1.15) + 128 + rng.uniform(-25, 25)
    if rng.random() < 0.25 or camera:
        work *= rng.uniform(0.85, 1.1, 3).astype(np.float32)
    if rng.random() < 0.3:
        coarse = rng.normal(0, rng.uniform(2, 14), work.shape[:2]).astype(np.float32)
        work += coarse[..., None]
    image = np.uint8(np.clip(work, 0, 255))
    if rng.random() < 0.25:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if rng.random() < 0.03:
        image = 255 - image
    if rng.random() < 0.4:
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(15, 90))])[1], cv2.IMREAD_COLOR)
    return image


def degrade(rng, image, boxes, kind, size, zoom, ground=None):
    """(canvas BGR uint8 of `size` (height, width), boxes on it). `ground`: a picture that lies under what a camera takes."""
    h, w = image.shape[:2]
    matrix, camera, (shift, span) = placed(rng, w, h, kind, size, zoom)
    if camera and kind in PAPER:
        boxes = [("page", 0, 0, w, h), *boxes]
    canvas = warp(image, matrix, size, (114, 114, 114) if not camera else (0, 0, 0))
    window = (max(0, shift[0]), max(0, shift[1]), min(size[1], shift[0] + span[0]), min(size[0], shift[1] + span[1]))
    inner = tuple(int(round(v)) for v in window)
    if camera:
        mask = warp(np.full((h, w), 255, np.uint8), matrix, size, (0, 0, 0)).astype(np.float32)[..., None] / 255
        under = cv2.resize(ground, size[::-1]) if ground is not None else np.full((*size, 3), rng.integers(256, size=3), np.uint8)
        shadow = cv2.GaussianBlur(np.roll(mask, rng.integers(-6, 7, 2), (0, 1)), (0, 0), 5)[..., None]
        canvas = np.uint8(canvas * mask + under * (1 - mask) * (1 - 0.4 * shadow))
    x0, y0, x1, y1 = inner
    part = tones(rng, canvas[y0:y1, x0:x1], kind, camera) if y1 - y0 > 8 and x1 - x0 > 8 else canvas[y0:y1, x0:x1]
    padded = np.full_like(canvas, 114)
    padded[y0:y1, x0:x1] = part
    return padded, move_boxes(boxes, matrix, window)
