#!/bin/sh
# Checks that need a GPU, on a machine that has only Python with torch 2.11 (docs/gpu.md).
#   gpu_check.sh bundle [--build BUILD]         here: packs programs, tests and scripts into one file
#   gpu_check.sh run [PHASE...] [--out DIR]     there, in the unpacked folder: runs them
#   gpu_check.sh list [PHASE...]                what `run` would do
set -eu
scripts=$(dirname "$(readlink -f "$0")")/gpu_check
action=${1:-}
[ $# -gt 0 ] && shift
case $action in
  bundle) exec python3 "$scripts/bundle.py" "$@" ;;
  run) exec "${PYTHON:-python3}" "$scripts/run.py" "$@" ;;
  list) exec "${PYTHON:-python3}" "$scripts/run.py" --list "$@" ;;
  *) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
