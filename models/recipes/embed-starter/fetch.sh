#!/bin/sh
# Fetches the Debian packages whose data the recipe reads and unpacks them, without installing anything.
#   ./fetch.sh CORPORA_DIR
set -eu
target=${1:?usage: fetch.sh CORPORA_DIR}
mkdir -p "$target/packages"
cd "$target/packages"
for name in wordnet-base chromium-l10n unicode-data unicode-cldr-core python3-jieba; do
  ls "$name"_*.deb >/dev/null 2>&1 || apt-get download "$name"
  dpkg-deb -x "$name"_*.deb "../$name"
done
