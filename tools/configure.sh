#!/bin/sh
# configure.sh PRESET [OPTION…]: configures once, without tests; each OPTION (BUILD_TESTING, ULP_BENCH) is turned on where
# it is off. Later changes of CMake files reconfigure by themselves.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
cache=build/$preset/CMakeCache.txt
wanted=""
for option in "$@"; do
    grep -qs "^$option:BOOL=ON$" "$cache" || wanted="$wanted -D$option=ON"
done
if [ ! -f "build/$preset/build.ninja" ]; then
    # shellcheck disable=SC2086 # options hold no spaces
    cmake --preset "$preset" -DBUILD_TESTING=OFF $wanted
elif [ -n "$wanted" ]; then
    # shellcheck disable=SC2086
    cmake $wanted "build/$preset"
fi
