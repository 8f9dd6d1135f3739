"""Runs the quick part of the Python tests on the module in the build tree; exits with 77 ("skipped") if something is
missing.

usage: quick.py BUILD/python [ARGUMENT OF PYTEST… [FILE.py…]]
"""

import importlib.util
import os
import pathlib
import sys

package = pathlib.Path(sys.argv[1]).resolve()
missing = [m for m in ("jax", "pytest") if importlib.util.find_spec(m) is None]
sys.path.insert(0, str(package))
if not missing:
    try:
        import openpartir  # noqa: F401
    except ImportError as error:
        missing.append(f"openpartir ({error})")
if missing:
    print("skipped: no", ", ".join(missing))
    sys.exit(77)
os.environ["PYTHONPATH"] = str(package)
# What runs once need not be optimised: a third less time.
os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "") + " --xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
)
folder = pathlib.Path(__file__).parent
arguments = sys.argv[2:] or ["-q", "-m", "quick and not slow"]
files = [str(folder / pathlib.Path(a).name) for a in arguments if a.endswith(".py")]
options = [a for a in arguments if not a.endswith(".py")]
os.execv(
    sys.executable,
    [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, *(files or [str(folder)])],
)
