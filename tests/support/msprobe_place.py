"""Where `make setup-test` puts msprobe, which no other oracle may see, and the environment in which Python finds it."""
import os
import pathlib

FOLDER = str(pathlib.Path(__file__).resolve().parents[2] / "build" / "deps" / "msprobe")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), FOLDER]))}
