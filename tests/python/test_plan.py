"""What a plan reports: counts, conflicts, shardings, text, answers to questions."""

import json
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P
from models import MODELS

import openpartir as partir


@pytest.fixture(scope="module")
def plan():
    make, schedules, donate = MODELS["transformer_scan"]
    step, args = make()
    mesh = jax.make_mesh((4, 2), ("batch", "model"))
    return partir.jit(
        step, mesh=mesh, schedule=schedules["BP+MP"], donate_argnums=donate, device="tpu_v5e"
    ).lower(*args)  # fmt: skip


@pytest.mark.quick
def test_counts_of_the_program_and_of_a_run(plan):
    assert set(plan.collectives) == {"all_gather", "all_reduce", "reduce_scatter", "all_to_all", "collective_permute"}
    assert plan.executed["all_reduce"] > plan.collectives["all_reduce"] > 0
    assert [t.name for t in plan.tactics] == ["BP", "MP"]
    assert plan.tactics[-1].collectives == plan.collectives
    assert all(t.cost["seconds"]["overlapped"] > 0 for t in plan.tactics)


def test_conflicts_are_data():
    schedule = [partir.ManualPartition("batch", inputs={"x": 0, "w": 1})]
    plan = partir.jit(lambda x, w: x @ w, mesh={"batch": 4}, schedule=schedule).lower(
        jnp.ones((8, 8)), jnp.ones((8, 8))
    )
    (conflict,) = plan.tactics[0].conflicts
    assert conflict.axis == "batch" and "dot_general" in conflict.operation and conflict.reason


def test_shardings_are_pytrees_for_jax_jit(plan):
    params, batch = plan.in_shardings
    assert params["up"].spec == P(None, None, "model") and batch.spec == P("batch")
    step, args = MODELS["transformer_scan"][0]()
    out = jax.jit(step, in_shardings=plan.in_shardings, out_shardings=plan.out_shardings)(*args)
    assert out[1].sharding.is_fully_replicated


def test_it_prints_as_the_command_does(plan):
    text = str(plan)
    assert re.search(r"^step on batch=4,model=2 \(8 devices\)", text) and "check: proved (all inputs" in text
    assert re.fullmatch(r"<Plan of step on batch=4,model=2: .*all_reduce.*; proved>", repr(plan))


def test_it_is_a_table_in_a_notebook(plan):
    page = plan._repr_html_()
    assert page.count("<svg") >= 5 and "params/up" in page and "<script" not in page
    hostile = partir.jit(lambda p: p, mesh={"a": 2}, schedule=[]).lower({"<i>&": jnp.ones(2)})
    assert "&lt;i&gt;&amp;" in hostile._repr_html_() and "<i>" not in hostile._repr_html_()


def test_questions(plan, tmp_path):
    assert "params/up" in plan.explain("params/up") and "MP" in plan.explain("params/up")
    assert "all_reduce 1 of" in plan.explain("all_reduce:1")
    cost = plan.simulate("a100")
    assert cost.step_seconds > 0 and cost.peak_bytes > 0 and "on a100" in str(cost)
    page = plan.report(tmp_path / "report.html", device="a100").read_text()
    assert "params/up" in page and "<html" in page
    assert plan.report(tmp_path / "plain.html").stat().st_size > 10_000


def test_all_forms_of_the_program(plan):
    assert "stablehlo.all_reduce" in plan.as_text()
    assert "spmd.all_reduce" in plan.as_text("spmd")
    assert 'loop "batch"' in plan.as_text("core")
    assert "sdy.mesh" in plan.as_text("sdy")
    assert len(json.loads(plan.certificate)["steps"]) > 100


def test_the_schedule_can_be_written_for_the_command(plan):
    assert plan.schedule == {
        "tactics": [
            {"name": "BP", "axis": "batch", "inputs": {"batch/**": 0}},
            {"name": "MP", "axis": "model", "inputs": {"params/up": 2}},
        ]
    }


def test_without_a_check_the_verdict_is_skipped():
    step = partir.jit(lambda x: x * 2, mesh={"a": 2}, schedule=[], check=False)
    assert step.lower(jnp.ones(2)).verdict.startswith("skipped")


def test_compiled(plan):
    step, args = MODELS["transformer_scan"][0]()
    compiled = plan.compile()
    want = jax.jit(step)(*args)
    got = compiled(*args)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5), got, want)
    assert "all-reduce" in compiled.as_text()
    assert compiled.memory_analysis().argument_size_in_bytes > 0
    assert compiled.cost_analysis()
    with pytest.raises(TypeError, match="compiled for"):
        compiled(args[0])
