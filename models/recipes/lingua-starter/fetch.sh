#!/bin/sh
# Fetches the Debian packages whose text the recipe reads and unpacks them, without installing anything.
#   ./fetch.sh PACKAGES
set -eu
target=${1:?usage: fetch.sh PACKAGES}
mkdir -p "$target/packages"
cd "$target/packages"
for name in wordnet-base chromium-l10n apache2-doc python3.11-doc; do
  ls "$name"_*.deb >/dev/null 2>&1 || apt-get download "$name"
  dpkg-deb -x "$name"_*.deb "../$name"
done
