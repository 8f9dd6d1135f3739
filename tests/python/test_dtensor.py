"""DTensor's sharding strategies as claims: known right and wrong ones get the right verdict, without PyTorch."""

import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import openpartir
from openpartir.__main__ import main
from openpartir.dtensor.claims import Unwritable, claim, result_symbols
from openpartir.dtensor.judge import judge
from openpartir.dtensor.placements import combinations
from openpartir.dtensor.table import OPERATORS

quick = pytest.mark.quick
BY_NAME = {o.aten: o for o in OPERATORS}


def program():
    beside = pathlib.Path(openpartir.__file__).parents[2] / "partir"
    found = str(beside) if beside.exists() else shutil.which("partir")
    if found is None:
        pytest.skip("no command line program partir")
    return found


def verdict(aten, inputs, outputs):
    judged = judge(BY_NAME[aten], {"rules": [[inputs, outputs]], "results": len(outputs)}, program(), 5)
    return next(r.verdict for r in judged.rules if r.declared)


@quick
def test_claims_are_over_symbols():
    text = claim(BY_NAME["sum.dim_IntList"], "sum", ["S(1)"], ["P(sum)"])
    assert text.startswith("entry @sum tiles N (%arg0: tensor<MxNxf32> #tile<1>) -> (tensor<Mxf32> #sum) {")
    assert "1009" not in text and "2003" not in text
    assert result_symbols(BY_NAME["cat.default"]) == [["M", "2*N"]]


@quick
def test_every_operator_of_the_table_is_written_with_replicated_tensors():
    assert len(BY_NAME) == len(OPERATORS) >= 150
    for name in ("view.default", "native_layer_norm.default", "convolution.default", "max.dim"):
        op = BY_NAME[name]
        results = len(result_symbols(op))
        assert claim(op, "it", ["R"] * len(op.tensors), ["R"] * results).startswith("entry @it (")


@quick
@pytest.mark.parametrize(
    ("aten", "inputs", "outputs", "wanted"),
    [
        ("argmax.default", ["P(max)"], ["P(max)"], "refuted"),
        ("norm.Scalar", ["P(sum)"], ["P(sum)"], "refuted"),
        ("linalg_vector_norm.default", ["P(max)"], ["P(max)"], "refuted"),
        ("mul.Tensor", ["P(sum)", "P(sum)"], ["P(sum)"], "refuted"),
        ("mean.dim", ["S(1)"], ["P(sum)"], "refuted"),
        ("mean.dim", ["S(1)"], ["P(avg)"], "proved"),
        ("sum.dim_IntList", ["S(1)"], ["P(sum)"], "proved"),
        ("add.Scalar", ["P(sum)"], ["P(sum)"], "refuted"),
        ("add.Scalar", ["P(avg)"], ["P(avg)"], "proved"),
        ("relu.default", ["P(avg)"], ["P(avg)"], "refuted"),
        ("mm.default", ["S(1)", "S(0)"], ["P(sum)"], "proved"),
        ("mm.default", ["S(1)", "S(0)"], ["R"], "refuted"),
    ],
)
def test_rules_that_are_known_to_be_right_or_wrong(aten, inputs, outputs, wanted):
    assert verdict(aten, inputs, outputs) == wanted


@quick
def test_averages_of_another_kind_are_not_guessed():
    with pytest.raises(Unwritable):
        claim(BY_NAME["neg.default"], "it", ["P(avg)"], ["P(sum)"])


@quick
def test_all_placements_are_asked_for():
    found = list(combinations([(["M", "N"], True)], [["M", "N"]]))
    assert (["S(1)"], ["S(1)"]) in found and (["P(max)"], ["P(min)"]) in found
    assert len(found) == 6 * 7 and all(into != ["R"] for into, _ in found)


@quick
def test_a_rule_by_hand_has_an_exit_status(monkeypatch, capsys):
    def status(op, rule):
        line = ["openpartir", "dtensor", "--op", op, "--rule", rule, "--no-torch", "--partir", program()]
        monkeypatch.setattr(sys, "argv", line)
        return main()

    assert status("argmax.default", "P(max) -> P(max)") == 1
    assert status("mm.default", "R, S(1) -> S(1)") == 0
    assert status("nothing", "R -> R") == 2
    assert "no such operator" in capsys.readouterr().err
    for rule in ("nonsense", "S(7), S(0) -> R", "R, S(1) -> S(1) -> R", "P(mean), R -> R"):
        assert status("mm.default", rule) == 2
        assert "wanted" in capsys.readouterr().err


def test_strategies_of_the_installed_pytorch_are_judged_and_replayed(tmp_path):
    pytest.importorskip("torch")
    line = [sys.executable, "-m", "openpartir", "dtensor", "--op", "mean.dim", "--op", "max.dim", "--out", tmp_path]
    run = subprocess.run([*line, "--partir", program(), "--sample", "6"], capture_output=True, text=True)
    assert run.returncode in (0, 1, 3), run.stdout + run.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert any(r["declared"] for r in report["operators"]["mean.dim"]["rules"]) and "0 do not" in run.stdout


@quick
def test_programs_times_a_size_are_that():
    for op in OPERATORS:
        for symbol, counted in op.counted.items():
            x = np.arange(1.0, 13).reshape(3, 4).astype(np.float32)
            (tensor,) = op.tensors
            size = x.shape[tensor.sizes.index(symbol)]
            np.testing.assert_allclose(counted(x), op.program(x) * size, rtol=1e-6)


@quick
def test_of_an_operator_with_results_that_the_program_lacks_nothing_is_missing():
    sort = BY_NAME["sort.default"]
    assert len(result_symbols(sort)) == 1
    judged = judge(sort, {"rules": [[["S(0)"], ["S(0)", "S(0)"]]], "results": 2}, program(), 5)
    assert [(r.declared, r.verdict) for r in judged.rules] == [(True, "unknown")]
