# Two commands do everything on a fresh Debian 12 with git and make:
#   make demo   install what is missing, build, evaluate SmolLM2-135M, open the result
#   make test   install what is missing, build, run every test
# Everything that is downloaded or built lies in build/; `rm -rf build` starts afresh.
.DEFAULT_GOAL := help
.PHONY: help demo programs packages try-packages test build bench lint tidy includes core-asan asan tsan fuzz setup setup-test setup-packages setup-cuda clean

# The quickest from nothing; `make build PRESET=dev` compiles file by file, for who changes them.
PRESET ?= whole
BUILD = build/$(PRESET)
PYTHON := build/deps/python/bin/python
# What to do where a step fails; $(1): the preset.
CORRECT := correct what is named above
CONFIGURE_ANEW = see the first error above; to start afresh: rm -r build/$(1)
BUILD_AGAIN = correct the first error above; where memory ran out: cmake --build build/$(1) -j1
TEST_AGAIN = see the lists above; those that failed again: ctest --preset $(1) --rerun-failed --output-on-failure

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

demo: programs ## evaluate SmolLM2-135M in bfloat16 and open the result
	@tools/demo.sh $(BUILD)/bin

programs: setup ## build the programs alone
	@tools/step.sh "Configuring" "$(call CONFIGURE_ANEW,$(PRESET))" tools/configure.sh $(PRESET)
	@tools/step.sh "Building the programs" "$(call BUILD_AGAIN,$(PRESET))" python3 tools/build.py $(PRESET) programs

packages: PRESET = release
packages: setup-packages programs ## make the wheel, the .deb, the portable archive and the headless bundle
	@tools/step.sh "Making packages" "$(CORRECT)" python3 packaging/packages/make_packages.py --build $(BUILD)

try-packages: ## install each package on a bare Debian 12 and run the demo there (needs root)
	@tools/step.sh "Trying packages" "$(CORRECT)" python3 packaging/packages/try_packages.py

# Lint first: it takes seconds.
test: lint build ## build and run every test, those of core under sanitizers as well
	@tools/step.sh "Running the tests" "$(call TEST_AGAIN,$(PRESET))" tools/run_tests.py --preset $(PRESET) -LE bench
	@$(if $(filter whole,$(PRESET)),$(MAKE) --no-print-directory core-asan)

# Links tests that `whole` has compiled.
core-asan: PRESET = whole
core-asan: build ## core's tests under AddressSanitizer and UBSan
	@tools/step.sh "Configuring $@" "$(call CONFIGURE_ANEW,$@)" tools/configure.sh $@ BUILD_TESTING
	@tools/step.sh "Building core with sanitizers" "$(call BUILD_AGAIN,$@)" python3 tools/build.py $@ core_test dumps_test
	@tools/step.sh "Running core's tests under sanitizers" "$(call TEST_AGAIN,$@)" tools/run_tests.py --preset $@ -R '^(core|dumps)_test\.[0-9]'

build: setup-test ## build programs and tests
	@tools/step.sh "Configuring" "$(call CONFIGURE_ANEW,$(PRESET))" tools/configure.sh $(PRESET) BUILD_TESTING
	@tools/step.sh "Building programs and tests" "$(call BUILD_AGAIN,$(PRESET))" python3 tools/build.py $(PRESET)

bench: setup-test ## run the benchmarks (9 GB below build/; figures: docs/performance.md)
	@tools/step.sh "Configuring" "$(call CONFIGURE_ANEW,$(PRESET))" tools/configure.sh $(PRESET) BUILD_TESTING ULP_BENCH
	@tools/step.sh "Building the benchmarks" "$(call BUILD_AGAIN,$(PRESET))" python3 tools/build.py $(PRESET)
	@tools/step.sh "Running the benchmarks" "see above; they need 9 GB of disk and a quiet machine" tools/bench.sh $(BUILD)

lint: setup-test ## clang-format, include directions, file sizes
	@tools/step.sh "Checking format, layers and sizes" "$(CORRECT) (clang-format -i FILE)" tools/lint.sh

# Both look at files one by one.
tidy includes: PRESET = dev
tidy: build ## clang-tidy over every file, findings are errors (SINCE=commit: over what changed)
	@tools/step.sh "Running clang-tidy" "$(CORRECT)" python3 tools/tidy.py $(BUILD) $(if $(SINCE),--since $(SINCE))

includes: setup-test ## compile every file and header by itself (SINCE=commit: what changed)
	@tools/step.sh "Configuring" "$(call CONFIGURE_ANEW,$(PRESET))" tools/configure.sh $(PRESET) BUILD_TESTING
	@tools/step.sh "Compiling every file by itself" "$(CORRECT)" python3 tools/includes.py $(BUILD) $(if $(SINCE),--since $(SINCE))

asan tsan fuzz: setup-test
# The tests of what has threads (ULP_TEST_FILES of the preset).
tsan: TARGETS = core_test dumps_test programs_test views_test window_test
tsan: TESTS = -R '^(core|dumps|programs|views|window)_test\.'
asan tsan fuzz: ## sanitizer and fuzzing builds with their tests
	@tools/step.sh "Configuring $@" "$(call CONFIGURE_ANEW,$@)" tools/configure.sh $@ BUILD_TESTING
	@tools/step.sh "Building $@" "$(call BUILD_AGAIN,$@)" python3 tools/build.py $@ $(TARGETS)
	@tools/step.sh "Running the tests under $@" "$(call TEST_AGAIN,$@)" tools/run_tests.py --preset $@ -LE bench $(TESTS)

setup: ## install what the build needs
	@tools/setup.sh build

setup-test: ## install what the tests need (oracles: transformers, gguf, …)
	@tools/setup.sh test

setup-packages: setup-cuda ## install what packages are made and tried with
	@tools/setup.sh packages

setup-cuda: ## install a CUDA compiler from PyPI, for machines without one
	@tools/setup.sh cuda

clean: ## remove the builds, keep what was downloaded
	rm -rf build/whole build/dev build/release build/cpu build/core-asan build/asan build/tsan build/fuzz build/fuzz-quick build/tidy
