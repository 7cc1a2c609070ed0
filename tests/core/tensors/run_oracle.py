"""Runs a script in the environment of the oracles: $ULP_ORACLE_PYTHON, else the one that `make
setup-test` installs. Exit code 77 (skipped) where there is none."""
import os
import sys

python = os.environ.get("ULP_ORACLE_PYTHON") or os.environ["ULP_DEFAULT_ORACLE_PYTHON"]
if not os.access(python, os.X_OK):
    print(f"skipped: {python} does not exist; make setup-test installs it")
    sys.exit(77)
os.execv(python, [python, *sys.argv[1:]])
