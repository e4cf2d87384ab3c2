#!/bin/sh
# Sets up an assembler and an emulator, compiles matmul_500.mlir, runs it on random inputs and prints
# the error against a reference computed in f64.
set -eu
cd "$(dirname "$0")/.."
sh tests/setup.sh
exec cargo run --release --locked --bin tegula -- run examples/matmul_500.mlir --function=matmul --random=42 --check "$@"
