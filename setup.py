"""With FINSPAN_COMPILED=1 the engine is compiled by mypyc; without, the distribution is pure Python.

The same source, the same results: `make compiled` runs the engine's tests on the compiled form. Everything
else about the distribution stands in pyproject.toml.
"""

import os
from pathlib import Path

from setuptools import setup

COMPILED = os.environ.get("FINSPAN_COMPILED") == "1"

if COMPILED:
    from mypyc.build import mypycify

    modules = sorted(str(path) for path in Path("service/engine").glob("*.py") if path.name != "__init__.py")
    extensions = mypycify(modules, opt_level="3")
else:
    extensions = []

setup(ext_modules=extensions)
