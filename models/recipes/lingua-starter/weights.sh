#!/bin/sh
# Puts the trained weights (bfloat16, 13,052,360 bytes) beside their configuration: from a release file that is given, else
# from this repository's history. Either way their SHA-256 decides.
#   ./weights.sh [FILE]
set -eu
cd "$(dirname "$0")/weights"
if [ $# -gt 0 ]; then cp "$1" model.safetensors
else git show 45cb7b308108f8251bef35026224ffa1214fc02f:models/recipes/lingua-starter/weights/model.safetensors > model.safetensors
fi
echo "46c88797cd207ccf89cb867dec63855007673e7cb3d64d4b13d1c3d7e7fe6f26  model.safetensors" | sha256sum -c - || { rm model.safetensors; exit 1; }
cp ../../../packs/lingua-starter/tokenizer.json .
