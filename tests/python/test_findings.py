"""What fuzzing found in a version of jaxlib is found there again, proved wrong, and confirmed by its script."""

import json
import pathlib
import subprocess
import sys

import jaxlib.version
import pytest

from openpartir.fuzz.findings import signature
from openpartir.fuzz.oracle import judge
from openpartir.fuzz.program import Program
from openpartir.fuzz.repro import script
from openpartir.fuzz.runner import Runner

FINDINGS = [json.loads(line) for line in (pathlib.Path(__file__).parent / "fuzz" / "findings.jsonl").open()]


@pytest.fixture(scope="module")
def runner():
    one = Runner()
    yield one
    one.close()


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f["kind"] + "-" + f["program"]["nodes"][0]["op"])
@pytest.mark.parametrize("target", ["shardy", "gspmd"])
def test_findings_are_found_again(finding, target, runner, tmp_path):
    if jaxlib.version.__version__ != finding["jaxlib"]:
        pytest.skip(f"found in jaxlib {finding['jaxlib']}")
    if target not in finding.get("targets", [target]):
        pytest.skip(f"{target} has it right")
    program = Program.from_json(json.dumps(finding["program"]))
    outcome = judge(program, target, runner.examine(program, target, seeds=8), runner)
    assert outcome.kind == finding["kind"], outcome
    if outcome.kind == "miscompilation":
        assert outcome.verdict == "refuted", outcome
    path = tmp_path / "repro.py"
    seed = ((outcome.facts or {}).get("differs") or {}).get("seed", 0)
    path.write_text(script(program, target, outcome.kind, signature(program, outcome).title, outcome.reason, seed))
    run = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert run.returncode == 1 and "jaxlib" in run.stdout, run.stdout + run.stderr
