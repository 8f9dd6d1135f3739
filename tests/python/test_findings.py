"""What fuzzing found in a version of jaxlib is found there again, refuted, and confirmed by its script."""

import json
import pathlib

import jaxlib.version
import pytest

from openpartir.fuzz.findings import signature
from openpartir.fuzz.oracle import judge
from openpartir.fuzz.program import Program
from openpartir.fuzz.repro import confirm, script
from openpartir.fuzz.runner import Runner
from openpartir.fuzz.tasks import XLA

FOLDER = pathlib.Path(__file__).parent / "fuzz"
FINDINGS = [json.loads(line) for line in (FOLDER / "findings.jsonl").open()]
# What campaigns found in our own partitioner, since fixed.
OURS = [Program.from_json(line) for line in (FOLDER / "ours.jsonl").open()]


@pytest.fixture(scope="module")
def runner():
    one = Runner()
    yield one
    one.close()


@pytest.mark.parametrize(
    ("finding", "target"),
    [(f, target) for f in FINDINGS for target in f.get("targets", XLA)],
    ids=lambda x: x if isinstance(x, str) else x["kind"] + "-" + x["program"]["nodes"][0]["op"],
)
def test_findings_are_found_again(finding, target, runner, tmp_path):
    if jaxlib.version.__version__ != finding["jaxlib"]:
        pytest.skip(f"found in jaxlib {finding['jaxlib']}")
    program = Program.from_json(json.dumps(finding["program"]))
    outcome = judge(program, target, runner.examine(program, target, seeds=8), runner)
    assert outcome.kind == finding["kind"], outcome
    if outcome.kind == "miscompilation":
        assert outcome.verdict == "refuted", outcome
    path = tmp_path / "repro.py"
    path.write_text(script(program, target, outcome, signature(program, outcome).title))
    assert target == "partir" or "openpartir" not in path.read_text()
    confirmed, output = confirm(path)
    assert confirmed, output


@pytest.mark.parametrize("program", OURS, ids=lambda p: "-".join(p.operations()))
def test_what_was_wrong_of_ours_is_proved_and_right(program, runner):
    outcome = judge(program, "partir", runner.examine(program, "partir", seeds=8), runner)
    assert (outcome.kind, outcome.verdict) == ("right", "proved"), outcome
