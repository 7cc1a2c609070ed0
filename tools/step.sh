#!/bin/sh
# step.sh TITLE REMEDY COMMAND…: says what runs and, in one line, what failed and what to do.
title=$1
remedy=$2
shift 2
printf '==> %s\n' "$title"
"$@"
status=$?
if [ $status -ne 0 ]; then
    printf 'make: %s failed (exit %s): %s; %s\n' "$title" "$status" "$*" "$remedy" >&2
fi
exit $status
