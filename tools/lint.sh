#!/bin/sh
# Fast checks of every file: clang-format, include directions, sizes, names of plug-ins, what throws, shell syntax.
set -eu
cd "$(dirname "$0")/.."
sources=$(find app core runner views tests \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) -print)
# shellcheck disable=SC2086 # file names of this project hold no spaces
clang-format --dry-run --Werror $sources
python3 tools/check_layers.py .
python3 tools/check_sizes.py .
python3 tools/check_plugins.py .
python3 tools/check_throwing.py .
for script in tools/*.sh .ci/run; do
    sh -n "$script"
done
