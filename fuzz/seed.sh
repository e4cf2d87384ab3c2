#!/bin/sh
# Copies the fixtures to the corpora of the targets: modules one by one to `text`, definitions to `td`.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/text corpus/td
find ../tests/fixtures -name '*.mlir' | while read -r file; do
    name=$(printf '%s' "$file" | sed 's|^../tests/fixtures/||; s|/|-|g; s|\.mlir$||')
    awk -v out="corpus/text/$name" '
        BEGIN { at = 0 }
        /^[[:space:]]*\/\/ -----/ { at++; next }
        { print > (out "-" at) }
    ' "$file"
done
find ../tests/fixtures ../dsl -name '*.td' | while read -r file; do
    cp "$file" "corpus/td/$(printf '%s' "$file" | sed 's|^../||; s|/|-|g')"
done
