"""The fuzzer: its programs, its oracle, its shrinker, and that a kill loses nothing."""

import io
import json
import subprocess
import sys

import jax
import numpy as np
import pytest

from openpartir.fuzz.campaign import Campaign, Options
from openpartir.fuzz.compare import difference
from openpartir.fuzz.findings import Finding, Store
from openpartir.fuzz.generate import generate, value_shapes
from openpartir.fuzz.inputs import fill
from openpartir.fuzz.operation import operations
from openpartir.fuzz.oracle import Outcome, judge, message_pattern
from openpartir.fuzz.program import Argument, Node, Program, spec_source
from openpartir.fuzz.repro import script
from openpartir.fuzz.shrink import shrink
from openpartir.fuzz.targets import function
from openpartir.fuzz.worker import Stages, collective_elements, examine

quick = pytest.mark.quick

# XLA counts an initial value that is not the identity once on each device.
REDUCE = Program(
    mesh=(("a", 4),),
    arguments=(Argument("x0", (8,), "float32", [["a"]]),),
    nodes=(Node("v0", "reduce", ("x0",), {"axes": [0], "monoid": "add", "init": "3"}),),
    results=("v0",),
    result_shardings=(None,),
)


def facts_of(program, target="shardy", **options):
    request = {"program": json.loads(program.to_json()), "target": target, "validate": True, "seconds": 10, **options}
    return examine(request, Stages(io.StringIO()))


@quick
def test_a_number_gives_the_same_program_each_time_and_json_keeps_it():
    for number in range(30):
        program = generate(5, number)
        assert program == generate(5, number)
        assert Program.from_json(program.to_json()).source() == program.source()
        assert set(value_shapes(program)) == {v.name for v in program.inputs} | {n.name for n in program.nodes}


@quick
def test_every_operation_is_drawn_and_its_source_runs():
    drawn = set()
    for name in operations():
        for number in range(6):
            program = generate(7, number, [name], gradients=0)
            drawn |= set(program.operations())
        run = function(program.source(), lambda x, _: x)
        jax.eval_shape(run, *[jax.ShapeDtypeStruct(a.shape, a.dtype) for a in program.inputs])
    assert drawn == set(operations())


@quick
def test_inputs_are_distinct_within_bounds():
    distinct = fill(Argument("x", (4, 5), "float32"), 0, 0)
    assert len(set(distinct.ravel().tolist())) == 20 and not np.any(distinct == 0)
    index = fill(Argument("i", (6,), "int32", None, {"kind": "index", "low": -2, "high": 9, "unique": True}), 1, 0)
    assert len(set(index.tolist())) == 6 and index.min() >= -2 and index.max() <= 9


@quick
@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        ([1.0, np.inf, np.nan], [1.0, np.inf, np.nan], True),
        ([1.0, np.inf], [1.0, -np.inf], False),
        ([1.0, 2.0], [1.0, np.nan], False),
        ([1000.0, 0.01], [1000.0, 0.0], True),
        ([3, 4], [3, 5], False),
    ],
)
def test_arrays_are_compared_element_by_element(expected, found, same):
    assert (difference(np.array(expected), np.array(found), 1e-4) is None) == same


@quick
def test_collectives_are_counted_by_the_elements_they_return():
    hlo = "a = f32[4,2]{1,0} all-gather(x)\nb = (f32[3], s32[]) all-reduce(y, z)\nc = f32[9] add(d, e)"
    assert collective_elements(hlo) == 8 + 3 + 1


@quick
def test_shrinking_leaves_what_fails_and_names_it_in_order():
    program = next(
        p for p in (generate(3, n, gradients=0) for n in range(200)) if "pad" in p.operations() and len(p.nodes) > 2
    )

    def fails(p):
        return any(n.op == "pad" and any(c[2] for c in n.params["config"]) for n in p.nodes)

    wanted = next(p for p in (generate(3, n, gradients=0) for n in range(2000)) if len(p.nodes) > 2 and fails(p))
    small, _ = shrink(wanted, fails, most=400)
    assert fails(small) and len(small.nodes) == 1 and small.nodes[0].name == "v0"
    assert small.device_count == 2 and sum(bool(c) for cs in small.nodes[0].params["config"] for c in cs) == 1
    assert program.operations()


@quick
def test_a_known_miscompilation_is_found_refuted_and_shown_by_its_script(tmp_path):
    facts = facts_of(REDUCE)
    outcome = judge(REDUCE, "shardy", facts, None)
    assert outcome.kind == "miscompilation" and outcome.verdict == "refuted", outcome
    path = tmp_path / "repro.py"
    path.write_text(script(REDUCE, "shardy", outcome.kind, "a title", outcome.reason, 0))
    run = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert run.returncode == 1 and "WRONG" in run.stdout, run.stdout + run.stderr


@quick
def test_a_right_partition_is_proved():
    node = Node("v0", "reduce", ("x0",), {"axes": [0], "monoid": "add", "init": "identity"})
    right = Program(REDUCE.mesh, REDUCE.arguments, (node,), REDUCE.results, REDUCE.result_shardings)
    for target in ("shardy", "partir"):
        outcome = judge(right, target, facts_of(right, target), None)
        assert (outcome.kind, outcome.verdict) == ("right", "proved"), outcome


@quick
def test_where_validator_and_execution_disagree_it_is_said_first():
    same, other = (
        {"differs": None},
        {"differs": {"count": 1, "of": 2, "result": 0, "at": [0], "expected": 1, "found": 2}},
    )
    proved, refuted = ({"validation": {"verdict": v, "reason": ""}} for v in ("proved", "refuted"))

    class Again:
        def examine(self, *_, **__):
            return other

    base = {"communicated": 0}
    assert judge(REDUCE, "shardy", {**base, **same, **refuted}, Again()).kind == "disagreement"
    assert judge(REDUCE, "shardy", {**base, **other, **proved}, Again()).kind == "disagreement"
    interpreted = {"interpreted": {"differs": []}}
    assert judge(REDUCE, "shardy", {**base, **other, **proved, **interpreted}, Again()).kind == "backend"
    assert judge(REDUCE, "shardy", {**base, **other, **refuted}, Again()).kind == "miscompilation"
    assert judge(REDUCE, "shardy", {"died": "partition", "message": "Check failed"}, Again()).kind == "crash"
    assert judge(REDUCE, "shardy", {"died": "validate", "message": "Check failed"}, Again()).kind == "ours"


@quick
def test_findings_are_merged_by_operation_parameters_and_message():
    def finding(kind, *operations, message=""):
        return Finding(kind, tuple(operations), False, message)

    pad = finding("miscompilation", ("pad", ("config",)))
    assert pad.explains(finding("miscompilation", ("pad", ("config", "value")), ("reduce", ())))
    assert not pad.explains(finding("miscompilation", ("pad", ("value",))))
    assert not pad.explains(finding("crash", ("pad", ("config",))))
    first, second = (message_pattern(f"a.cc:{n}] Check failed: {n} == 2 %dot.{n}") for n in (1, 77))
    assert finding("crash", ("pad", ()), message=first).explains(finding("crash", ("dot", ()), message=second))


@quick
def test_a_campaign_goes_on_where_a_kill_left_it(tmp_path):
    options = Options("shardy", tmp_path, seconds=0)
    Campaign(options)
    entry = {"number": 0, "kind": "right", "verdict": "proved", "seconds": {"all": 1.0}}
    torn = json.dumps({**entry, "number": 1})[:20]
    (tmp_path / "journal.jsonl").write_text(json.dumps(entry) + "\n" + torn)
    (tmp_path / "findings" / ".new-1-half").mkdir()
    again = Campaign(options)
    assert again.done == {0} and again.counts["right/proved"] == 1
    assert (tmp_path / "journal.jsonl").read_text() == json.dumps(entry) + "\n"
    assert not list((tmp_path / "findings").iterdir())
    with pytest.raises(ValueError, match="holds the campaign"):
        Campaign(Options("gspmd", tmp_path))


def test_a_campaign_keeps_a_finding_once_with_a_script_that_confirms_it(tmp_path):
    options = Options("shardy", tmp_path, seconds=120, seed=2, ops=("reduce",), programs=12, shrinks=40)
    campaign = Campaign(options)
    campaign.run()
    assert len(campaign.done) == 12
    findings = [json.loads(p.read_text()) for p in tmp_path.glob("findings/*/finding.json")]
    assert findings and all(f["confirmed"] for f in findings)
    assert Store(tmp_path / "findings").known == campaign.store.known


@quick
def test_a_child_that_dies_or_hangs_is_told_apart_and_replaced(monkeypatch):
    from openpartir.fuzz import runner as module

    runner = module.Runner()
    runner.examine(REDUCE, "shardy")
    monkeypatch.setitem(module.SECONDS, "reference", 0)
    other = Program(
        REDUCE.mesh, (Argument("x0", (16,), "float32", [["a"]]),), REDUCE.nodes, REDUCE.results, REDUCE.result_shardings
    )
    assert runner.examine(other, "shardy")["hung"] == "reference"
    monkeypatch.undo()
    assert runner.examine(REDUCE, "shardy")["differs"]
    runner._child.process.kill()
    with pytest.raises(RuntimeError, match="does not start"):
        runner.examine(REDUCE, "shardy")
    runner.close()


@quick
def test_specs_print_as_python():
    assert spec_source([["a"], [], ["b", "c"]]) == "P('a', None, ('b', 'c'))"
    assert spec_source(["?", []]) == "P(P.UNCONSTRAINED)" and spec_source(None) == "P()"


@quick
def test_what_is_right_is_not_kept():
    assert not Outcome("right").failed and not Outcome("invalid").failed and Outcome("disagreement").failed
