#!/bin/sh
# demo.sh BIN: evaluates SmolLM2-135M (once), then opens the result, or prints it where there is no display.
set -eu
cd "$(dirname "$0")/.."
bin=$1
run=runs/smollm2-demo

if [ ! -f $run/precision_report.json ]; then
    printf '==> Evaluating SmolLM2-135M: float32 against four bfloat16 variants\n'
    "$bin/ulpscope-cli" run configs/smollm2.yaml --output $run ||
        { printf 'make: the evaluation did not finish; what is done is in %s, `make demo` continues it\n' $run >&2; exit 1; }
elif ! "$bin/ulpscope-cli" run configs/smollm2.yaml --output $run --resume --progress plain; then
    printf 'make: %s is of another study; remove it and run `make demo` again\n' $run >&2
    exit 1
fi

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    printf '==> Opening %s\n' $run
    exec "$bin/ulpscope" $run
fi
"$bin/ulpscope-cli" report $run --format text --pass forward
printf '==> No display: writing pictures of the views to %s/pictures\n' $run
# Without a session there is no runtime folder, of which Qt would complain.
runtime=$(mktemp -d)
XDG_RUNTIME_DIR=$runtime QT_QPA_PLATFORM=offscreen "$bin/ulpscope" $run --screenshot $run/pictures
rmdir $runtime
printf 'On a machine with a display: %s/ulpscope %s\n' "$bin" $run
