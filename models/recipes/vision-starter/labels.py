"""What the detector and the scene classifier can name: identifier, then the words shown to people in English, Malay, Chinese."""

import json
from pathlib import Path

NAMES = json.loads((Path(__file__).parent / "labels.json").read_text(encoding="utf-8"))
OBJECTS = [entry["id"] for entry in NAMES["objects"]]
KINDS = [entry["id"] for entry in NAMES["kinds"]]
ATTRIBUTES = [entry["id"] for entry in NAMES["attributes"]]
