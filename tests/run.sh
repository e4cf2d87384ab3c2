#!/bin/sh
# Sets up what the tests use and runs all of them.
set -eu
cd "$(dirname "$0")/.."
sh tests/setup.sh
exec cargo test --workspace --locked "$@"
