"""Tests of the Python package in one process, so that the study is run once. Usage: run_all.py ULPSCOPE_CLI [TEST…]"""
import os
import pathlib
import sys
import unittest

if __name__ == "__main__":
    os.environ["ULPSCOPE_CLI"] = str(pathlib.Path(sys.argv[1]).resolve())
    here = pathlib.Path(__file__).resolve().parent
    sys.path.insert(0, str(here))
    import python_package

    names = sys.argv[2:] or sorted(file.stem for file in here.glob("*_test.py"))
    loaded = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=2).run(loaded)
    python_package.FOLDER.cleanup()
    sys.exit(not result.wasSuccessful())
