#!/bin/sh
# step.sh TITLE COMMAND…: says what runs, and in one line what failed.
title=$1
shift
printf '==> %s\n' "$title"
"$@"
status=$?
if [ $status -ne 0 ]; then
    printf 'make: %s failed (exit %s): %s\n' "$title" "$status" "$*" >&2
fi
exit $status
