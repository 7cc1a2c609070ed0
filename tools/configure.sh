#!/bin/sh
# configure.sh PRESET: configures once; later changes of CMake files reconfigure by themselves.
set -eu
cd "$(dirname "$0")/.."
if [ ! -f "build/$1/build.ninja" ]; then
    cmake --preset "$1"
fi
