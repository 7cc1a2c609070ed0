#!/bin/sh
# bench.sh BUILD: every benchmark, one after the other, on an otherwise idle machine.
set -eu
cd "$(dirname "$0")/.."
build=$1
for bench in "$build"/bench/*_bench; do
    printf -- '--- %s\n' "$(basename "$bench")"
    "$bench"
done
for script in tests/bench/*/*_bench.py; do
    printf -- '--- %s\n' "$(basename "$script")"
    build/deps/python/bin/python "$script" --build "$build"
done
