#!/bin/sh
# Copies the fixtures, module by module, to the corpus of the target `text`.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/text
find ../tests/fixtures -name '*.mlir' | while read -r file; do
    name=$(printf '%s' "$file" | sed 's|^../tests/fixtures/||; s|/|-|g; s|\.mlir$||')
    awk -v out="corpus/text/$name" '
        BEGIN { at = 0 }
        /^[[:space:]]*\/\/ -----/ { at++; next }
        { print > (out "-" at) }
    ' "$file"
done
