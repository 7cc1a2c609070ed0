"""Runs a script in the environment of the oracles: $ULP_ORACLE_PYTHON, else the one that `make
setup-test` installs; fails where there is none."""
import os
import sys

python = os.environ.get("ULP_ORACLE_PYTHON") or os.environ["ULP_DEFAULT_ORACLE_PYTHON"]
if not os.access(python, os.X_OK):
    sys.exit(f"{python} does not exist; `make setup-test` installs it")
os.execv(python, [python, *sys.argv[1:]])
