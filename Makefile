# Two commands do everything on a fresh Debian 12 with git and make:
#   make demo   install what is missing, build, evaluate SmolLM2-135M, open the result
#   make test   install what is missing, build, run every test
# Everything that is downloaded or built lies in build/; `rm -rf build` starts afresh.
.DEFAULT_GOAL := help
.PHONY: help demo test build bench lint tidy asan tsan fuzz setup setup-test setup-cuda clean

PRESET ?= dev
BUILD := build/$(PRESET)
PYTHON := build/deps/python/bin/python

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

demo: build ## evaluate SmolLM2-135M in bfloat16 and open the result
	@tools/demo.sh $(BUILD)/bin

test: setup-test build ## build and run every test
	@tools/step.sh "Checking format, layers and sizes" tools/lint.sh
	@tools/step.sh "Running the tests" ctest --preset $(PRESET) -LE bench

build: setup ## build program and tests
	@tools/step.sh "Configuring" tools/configure.sh $(PRESET)
	@tools/step.sh "Building" cmake --build --preset $(PRESET)

bench: setup-test build ## run the benchmarks (9 GB below build/; figures: docs/performance.md)
	@tools/step.sh "Running the benchmarks" tools/bench.sh $(BUILD)

lint: setup ## clang-format, include directions, file sizes
	@tools/step.sh "Checking format, layers and sizes" tools/lint.sh

tidy: build ## clang-tidy over every file, findings are errors (SINCE=commit: over what changed)
	@tools/step.sh "Running clang-tidy" python3 tools/tidy.py $(BUILD) $(if $(SINCE),--since $(SINCE))

asan tsan fuzz: setup ## sanitizer and fuzzing builds with their tests
	@tools/step.sh "Configuring $@" tools/configure.sh $@
	@tools/step.sh "Building $@" cmake --build --preset $@
	@tools/step.sh "Running the tests under $@" ctest --preset $@ -LE bench

setup: ## install what the build needs
	@tools/setup.sh build

setup-test: ## install what the tests need (oracles: transformers, gguf, …)
	@tools/setup.sh test

setup-cuda: ## install a CUDA compiler from PyPI, for machines without one; the next build uses it
	@tools/setup.sh cuda

clean: ## remove the builds, keep what was downloaded
	rm -rf build/dev build/release build/cpu build/asan build/tsan build/fuzz build/tidy
