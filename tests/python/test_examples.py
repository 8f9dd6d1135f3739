"""The examples run at small sizes and show what they claim."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import openpartir

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
pytestmark = pytest.mark.slow


def environment():
    """Returns a user's environment: the package that is tested, and none of the test's flags."""
    package = str(pathlib.Path(openpartir.__file__).parent.parent.absolute())
    return {k: v for k, v in os.environ.items() if k != "XLA_FLAGS"} | {"PYTHONPATH": package}


def run(name, *args, needs=()):
    for module in needs:
        pytest.importorskip(module)
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, args)],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def losses(text):
    return [float(x) for x in re.findall(r"^step \d+: loss ([\d.]+)", text, re.M)]


@pytest.mark.parametrize(("flags", "bound"), [([], 2e-3), (["--x64"], 1e-9)])
def test_gpt_trains_alike_under_all_schedules(flags, bound):
    text = run("gpt.py", "--steps", 12, *flags, needs=["optax"])
    differences = [float(x) for x in re.findall(r"largest difference (\S+)", text)]
    assert len(differences) == 3 and max(differences) < bound, text
    assert text.count("; proved (all inputs") == 3


def test_flax_nnx():
    text = run("flax_nnx.py", "--steps", 12, needs=["flax", "optax"])
    assert "check: proved" in text and "(None, 'model')" in text and losses(text)[-1] < losses(text)[0]


def test_equinox():
    text = run("equinox_model.py", "--steps", 12, needs=["equinox", "optax"])
    assert "check: proved" in text and "('model',)" in text and losses(text)[-1] < losses(text)[0]


def test_experts_are_reached_by_all_to_alls():
    text = run("mixture_of_experts.py", "--steps", 6)
    assert "check: proved" in text and "all_to_all over expert" in text and losses(text)[-1] < losses(text)[0]


@pytest.mark.parametrize("by", ["heads", "position"])
def test_decoding_gives_the_tokens_of_one_device(by):
    text = run("decoding.py", "--tokens", 6, "--by", by)
    assert "check: proved" in text and "the same tokens" in text


def test_a_checkpoint_is_restored_under_another_schedule():
    text = run("checkpoint.py", "--steps", 3, needs=["orbax.checkpoint", "optax"])
    assert "saved with    P(None, 'model')" in text.replace("PartitionSpec", "P") and len(losses(text)) == 6


def test_the_notebook(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": tmp_path}}).execute(
        env=environment()
    )
    text = "".join(o.get("text", "") for c in notebook.cells if c.cell_type == "code" for o in c.outputs)
    assert "check: proved" in text and "proved (all inputs" in text and (tmp_path / "tour_report.html").exists()
