"""The fuzzer: its programs, its oracle, its shrinker and the scripts that it writes."""

import io
import json

import jax
import numpy as np
import pytest

from openpartir import _engine, _jax_private
from openpartir.fuzz.compare import difference
from openpartir.fuzz.findings import Finding
from openpartir.fuzz.generate import generate, value_shapes
from openpartir.fuzz.inputs import fill
from openpartir.fuzz.operation import operations
from openpartir.fuzz.oracle import Outcome, judge, message_pattern, most_communication
from openpartir.fuzz.ours import tactics_of
from openpartir.fuzz.program import Argument, Node, Program, spec_source
from openpartir.fuzz.repro import confirm, script
from openpartir.fuzz.shrink import shrink
from openpartir.fuzz.targets import function
from openpartir.fuzz.worker import Stages, _example, _rounding_decides, collective_elements, examine

quick = pytest.mark.quick

# XLA's partitioner counts an initial value that is not the identity once on each device.
REDUCE = Program(
    mesh=(("a", 4),),
    arguments=(Argument("x0", (8,), "float32", [["a"]]),),
    nodes=(Node("v0", "reduce", ("x0",), {"axes": [0], "monoid": "add", "init": "3"}),),
    results=("v0",),
    result_shardings=(None,),
)


@quick
def test_our_own_partitioner_is_asked_for_sizes_that_do_not_divide():
    program = Program(
        mesh=(("a", 4),),
        arguments=(Argument("x0", (6, 2), "float32", None),),
        nodes=(Node("v0", "reverse", ("x0",), {"axes": [1]}, [["a"], []]),),
        results=("v0",),
        result_shardings=(None,),
    )
    assert tactics_of(program) == [{"name": "a", "axis": "a", "inputs": {}, "values": {"inner0": 0}, "uneven": True}]


@quick
def test_rules_have_verdicts_in_words():
    text = jax.jit(lambda x: x.sum(0)).lower(np.ones((8, 4), np.float32)).as_text()
    rules = _engine.rules(program=_jax_private.with_sharding_rules(text), seconds=10)
    assert [(r["factor"], r["verdict"]) for r in rules] == [("i", "proved"), ("j", "proved")]


# A vector-Jacobian product of a reversal with a sharding constraint inside.
CONSTRAINED = Program(
    mesh=(("a", 2),),
    arguments=(Argument("x0", (4, 2), "float32", [["a"], []]),),
    nodes=(Node("v0", "reverse", ("x0",), {"axes": [1]}, [[], ["a"]]),),
    results=("v0",),
    result_shardings=(None,),
    gradient=("x0",),
    cotangents=(Argument("ct0", (4, 2), "float32"),),
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
    path.write_text(script(REDUCE, "shardy", outcome, "a title"))
    assert "openpartir" not in path.read_text()
    confirmed, output = confirm(path)
    assert confirmed and "WRONG" in output, output


@quick
def test_a_script_against_our_partitioner_says_what_it_was_asked_and_shows_a_wrong_result(tmp_path):
    wrong = {"count": 1, "of": 1, "result": 0, "at": [], "expected": 0.0, "found": 1.0}
    outcome = Outcome("miscompilation", "a reason", "unknown", {"differs": {**wrong, "seed": 0}})
    path = tmp_path / "repro.py"
    path.write_text(script(CONSTRAINED, "partir", outcome, "a title"))
    assert (
        "partir.ManualPartition(name='a', axis='a', inputs={'x0': 0}, values={'inner0': 1}, uneven=True)"
        in path.read_text()
    )
    confirmed, output = confirm(path)
    assert not confirmed and "partir says: proved" in output and "(the same)" in output, output
    # If a partitioner returns something else, the script shows that as a defect.
    found = "jax.tree.leaves(step(*placed))"
    assert found in path.read_text()
    path.write_text(path.read_text().replace(found, f"[x + 1 for x in {found}]"))
    confirmed, output = confirm(path)
    assert confirmed and "WRONG" in output, output


@quick
def test_a_script_shows_a_wrong_result_on_the_inputs_of_a_counterexample(tmp_path):
    differs = {"count": 1, "of": 1, "result": 0, "inputs": [[1.0, -2.0, float("inf"), 0.5, 0.0, 0.0, 0.0, 4.0]]}
    text = script(REDUCE, "shardy", Outcome("miscompilation", "", "refuted", {"differs": differs}), "a title")
    assert "np.array([1.0, -2.0, np.inf, 0.5, 0.0, 0.0, 0.0, 4.0], jnp.float32)" in text


def test_scripts_of_hangs_and_of_needless_communication_hold_what_they_say(tmp_path):
    path = tmp_path / "repro.py"
    for kind, limit, lower in (
        ("communication", f"elements > {most_communication(REDUCE)}", "elements > 0"),
        ("hang", "timeout=120", "timeout=0.01"),
    ):
        path.write_text(script(REDUCE, "shardy", Outcome(kind, "a reason"), "a title"))
        confirmed, output = confirm(path)
        assert not confirmed and "jaxlib" in output, output
        assert limit in path.read_text()
        path.write_text(path.read_text().replace(limit, lower))
        assert confirm(path)[0]


def test_what_contradicts_the_validator_is_judged_again_by_its_script(tmp_path):
    outcome = judge(REDUCE, "shardy", facts_of(REDUCE), None)
    path = tmp_path / "repro.py"
    path.write_text(script(REDUCE, "shardy", Outcome("disagreement", outcome.reason), "a title"))
    confirmed, output = confirm(path)
    assert not confirmed and "miscompilation: " in output and "jaxlib" in output, output
    path.write_text(path.read_text().replace("'disagreement'", "'miscompilation'"))
    assert confirm(path)[0]


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
        {"differs": {"count": 1, "of": 2, "result": 0, "at": [0], "expected": 1, "found": 2, "seed": 0}},
    )
    proved, refuted = ({"validation": {"verdict": v, "reason": ""}} for v in ("proved", "refuted"))

    class Again:
        def examine(self, *_, **__):
            return other

    base = {"communicated": 0}
    assert judge(REDUCE, "shardy", {**base, **same, **refuted}, Again()).kind == "disagreement"
    assert judge(REDUCE, "shardy", {**base, **other, **proved}, Again()).kind == "disagreement"
    interpreted = {"interpreted": {"differs": []}}
    unknown, certified = {"validation": {"verdict": "unknown", "reason": ""}}, {"claim": "proved (all inputs)"}
    assert judge(REDUCE, "partir", {**base, **other, **unknown, **certified, **interpreted}, Again()).kind == "backend"
    assert judge(REDUCE, "partir", {**base, **other, **unknown, **certified}, Again()).kind == "disagreement"
    assert judge(REDUCE, "partir", {**base, **other, **unknown, **interpreted}, Again()).kind == "miscompilation"
    assert judge(REDUCE, "shardy", {**base, **other, **proved, **interpreted}, Again()).kind == "backend"
    assert judge(REDUCE, "shardy", {**base, **other, **refuted}, Again()).kind == "miscompilation"
    assert judge(REDUCE, "shardy", {"died": "partition", "message": "Check failed"}, Again()).kind == "crash"
    died = {"died": "compile", "message": "Check failed"}
    assert judge(REDUCE, "partir", {**died, "claim": "proved (all inputs)"}, Again()).kind == "refused"
    assert judge(REDUCE, "partir", {**died, "claim": "unknown"}, Again()).kind == "crash"
    assert judge(REDUCE, "shardy", {"died": "validate", "message": "Check failed"}, Again()).kind == "validator"
    assert judge(REDUCE, "shardy", {"killed": "partition", "times": 4}, Again()).kind == "killed"
    assert judge(REDUCE, "shardy", {"rejected": "why"}, Again()).kind == "rejected"
    assert judge(REDUCE, "partir", {"rejected": "why"}, Again()).kind == "ours"
    failed = {"failed": "UNIMPLEMENTED: Algorithm"}
    assert judge(REDUCE, "partir", {**failed, **certified}, Again()).kind == "refused"
    assert judge(REDUCE, "partir", failed, Again()).kind == "crash"
    assert judge(REDUCE, "partir", {"failed": "ValueError: shape", **certified}, Again()).kind == "crash"
    assert judge(REDUCE, "shardy", {"hung": "execute", "limit": 1}, Again()).kind == "hang"
    most = most_communication(REDUCE)
    for elements, kind in ((most, "right"), (most + 1, "communication")):
        assert judge(REDUCE, "shardy", {**same, "communicated": elements}, Again()).kind == kind


@quick
def test_a_result_over_another_order_of_the_devices_is_not_validated_and_is_executed():
    program = Program(
        mesh=(("a", 2),),
        arguments=(Argument("x0", (8,), "float32", (("a",),)),),
        nodes=(Node("v0", "reverse", ("x0",), {"axes": [0]}, None),),
        results=("v0",),
        result_shardings=(None,),
    )
    facts = facts_of(program, "gspmd")
    assert facts["validation"]["verdict"] == "unsupported" and "GSPMDSharding" in facts["validation"]["reason"]
    assert facts["differs"] is None and judge(program, "gspmd", facts, None).kind == "right"


@quick
def test_a_branch_that_rounding_decides_is_no_miscompilation():
    # The sum of standardised values is 0 over the reals; its sign is that of its rounding error.
    undecided = Program(
        mesh=(("a", 8),),
        arguments=(Argument("x0", (16, 8), "float32", [["a"], []]),),
        nodes=(
            Node("v0", "normalization", ("x0",), {"kind": "standardize", "axis": 0}),
            Node("v1", "cond", ("v0",), {"axis": 0}),
        ),
        results=("v1",),
        result_shardings=(None,),
    )
    source = undecided.source()
    whole = jax.jit(function(source, lambda x, _: x))
    seeds = [[fill(a, s, i) for i, a in enumerate(undecided.inputs)] for s in range(8)]
    assert any(_rounding_decides(source, whole, inputs, 2e-4) for inputs in seeds)
    decided = source.replace("jnp.sum(v0) > 0", "jnp.sum(v0) > -1")
    assert decided != source
    whole = jax.jit(function(decided, lambda x, _: x))
    assert not any(_rounding_decides(decided, whole, inputs, 2e-4) for inputs in seeds)
    differs = {"count": 1, "of": 2, "result": 0, "at": [0], "expected": 1, "found": 2, "seed": 0}

    class Again:
        def examine(self, *_, **__):
            return {"differs": differs}

    for ill, kind in ((True, "rounding"), (False, "miscompilation")):
        facts = {"communicated": 0, "differs": differs, "ill_conditioned": ill, "validation": {"verdict": "unknown"}}
        assert judge(undecided, "shardy", facts, Again()).kind == kind


@quick
def test_the_inputs_of_a_counterexample_are_executed():
    reduce = REDUCE.arguments[0].shape
    shapes = [jax.ShapeDtypeStruct(reduce, np.float32)]
    values = [float(i) for i in range(8)]
    (found,) = _example([{"type": "tensor<8xf32>", "values": values, "truncated": False}], shapes)
    assert found.tolist() == values and found.dtype == np.float32
    assert _example([{"type": "", "values": values, "truncated": True}], shapes) is None
    assert _example([{"type": "", "values": values[:2], "truncated": False}], shapes) is None
    assert _example(None, shapes) is None and _example([], shapes) is None
    inputs = facts_of(REDUCE)["validation"]["inputs"]
    assert len(inputs) == 1 and inputs[0]["type"] == "tensor<8xf32>" and len(inputs[0]["values"]) == 8


@quick
def test_findings_are_merged_by_operation_parameters_and_message():
    def finding(kind, *operations, message=""):
        return Finding(kind, tuple(operations), False, message)

    pad = finding("miscompilation", ("pad", ("config",)))
    assert pad.explains(finding("miscompilation", ("pad", ("config", "value")), ("reduce", ())))
    assert not pad.explains(finding("miscompilation", ("pad", ("value",))))
    assert not pad.explains(finding("crash", ("pad", ("config",))))
    first, second = (message_pattern(f"a.cc:{n}] Check failed: {n} == 2 %dot.{n}") for n in (1, 77))
    texts = (
        "Unsupported reduction: %r.1 (a: u8[]) { ROOT %or.2 }",
        "Unsupported reduction: %r (b: s32[]) { ROOT %xor }",
    )
    assert len(set(map(message_pattern, texts))) == 1 != len(set(map(message_pattern, ("Unsupported a", "no b"))))
    assert finding("crash", ("pad", ()), message=first).explains(finding("crash", ("dot", ()), message=second))


@quick
def test_specs_print_as_python():
    assert spec_source([["a"], [], ["b", "c"]]) == "P('a', None, ('b', 'c'))"
    assert spec_source(["?", []]) == "P(P.UNCONSTRAINED)" and spec_source(None) == "P()"


@quick
def test_what_is_right_is_not_kept():
    assert not Outcome("right").failed and not Outcome("invalid").failed and Outcome("disagreement").failed
