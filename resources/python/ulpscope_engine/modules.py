"""Finds the modules of ulpscope_engine among texts. Its own text is executed by who starts Python, before there is a module."""
import importlib.abc
import importlib.util


class Modules(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def __init__(self, texts):
        self.texts = texts

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name in self.texts else None

    def is_package(self, name):
        return name == "ulpscope_engine"

    def get_source(self, name):
        return self.texts[name]

    def get_code(self, name):
        return compile(self.texts[name], name.replace(".", "/") + ".py", "exec")
