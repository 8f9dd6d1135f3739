"""Campaigns: a kill, a full disk, a dead or hung child or several jobs do not change what is found."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from openpartir.__main__ import main
from openpartir.fuzz import command
from openpartir.fuzz import runner as module
from openpartir.fuzz.campaign import Campaign, Options
from openpartir.fuzz.disk import CampaignError, Journal
from openpartir.fuzz.findings import Store
from openpartir.fuzz.program import Argument, Node, Program
from openpartir.fuzz.regress import regress
from openpartir.fuzz.report import as_json, markdown
from openpartir.fuzz.runner import Runner
from openpartir.fuzz.tasks import Task
from openpartir.fuzz.workers import cluster, threads

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import campaign_faults

quick = pytest.mark.quick
FAULTS = pathlib.Path(campaign_faults.__file__)
REDUCE = Program(
    (("a", 4),),
    (Argument("x0", (8,), "float32", [["a"]]),),
    (Node("v0", "reduce", ("x0",), {"axes": [0], "monoid": "add", "init": "3"}),),
    ("v0",),
    (None,),
)
TASK = Task("shardy", seed=2, ops=("reduce",), shrinks=40)


def real(out, jobs=1, programs=8, task=TASK):
    with threads(jobs) as (executor, count):
        campaign = Campaign(task, Options(out, 1e9, programs, count))
        campaign.run(executor)
        campaign.journal.close()
    return campaign


def found(out):
    """Returns the journal without times, and the programs of all findings."""
    journal = [json.loads(line) for line in (out / "journal.jsonl").open()]
    return [{**e, "seconds": None} for e in journal], {
        p.parent.name: p.read_text() for p in out.glob("*/*/program.json")
    }


@quick
@pytest.mark.parametrize("mode", ["kill", "full", "limit"])
def test_a_campaign_ended_at_any_of_its_writes_goes_on_to_the_same_state(mode, tmp_path):
    run = subprocess.run([sys.executable, FAULTS, mode, tmp_path, "--every", "11"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    if mode == "limit":
        assert "limited: 2" in run.stderr and "File too large; the same command goes on" in run.stderr


@pytest.mark.parametrize("mode", ["kill", "full"])
def test_a_campaign_ended_at_each_of_its_writes_goes_on_to_the_same_state(mode, tmp_path):
    run = subprocess.run([sys.executable, FAULTS, mode, tmp_path], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


@quick
@pytest.mark.parametrize("jobs", [2, 5])
def test_jobs_change_nothing(jobs, tmp_path):
    campaign_faults.campaign(tmp_path / "one", 1)
    campaign_faults.campaign(tmp_path / "many", jobs, slow=True)
    assert campaign_faults.state(tmp_path / "one") == campaign_faults.state(tmp_path / "many")


@quick
def test_a_folder_holds_one_campaign_that_one_process_runs(tmp_path):
    first = Campaign(TASK, Options(tmp_path))
    with pytest.raises(CampaignError, match="another campaign is running"):
        Campaign(TASK, Options(tmp_path))
    first.journal.close()
    with pytest.raises(CampaignError, match="holds the campaign"):
        Campaign(Task("gspmd"), Options(tmp_path))


@quick
def test_a_journal_that_is_not_one_is_refused_with_its_line(tmp_path):
    path = tmp_path / "journal.jsonl"
    path.write_text('{"number": 0}\n{"number": 2}\n')
    with pytest.raises(CampaignError, match=r"journal.jsonl:2: .* wanted the entry of program 1"):
        Journal(path)


@quick
def test_what_the_script_does_not_show_is_kept_apart_and_does_not_count(tmp_path):
    campaign_faults.campaign(tmp_path)
    campaign = Campaign(campaign_faults.MadeUp("shardy"), Options(tmp_path))
    report = as_json(campaign)
    assert list(report["unconfirmed"]) == ["00009-miscompilation-reduce-init"]
    assert list(report["findings"]) == ["00012-miscompilation-reduce-init", "00014-miscompilation-reduce-monoid"]
    assert report["classes"]["miscompilation"] == {
        "programs": 7,
        "findings": 2,
        "example": "00012-miscompilation-reduce-init",
    }
    assert [r["operation"] for r in report["rules"]] == ["op0", "op1", "op2", "op3"]
    page = markdown(campaign)
    assert "Not confirmed by their own script" in page and "| op3 |  | 1 | 0 | 0 | 0 | 0 |" in page


@quick
def test_only_confirmed_findings_are_run_against_another_jaxlib(tmp_path):
    campaign_faults.campaign(tmp_path)
    assert set(regress(tmp_path)) == {"00012-miscompilation-reduce-init", "00014-miscompilation-reduce-monoid"}


@quick
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--regress", "{tmp}", "--python", "/nope"], "/nope: no such program"),
        (["--regress", "{tmp}"], "no findings there"),
        (["--out", "{tmp}/out", "--seconds", "nan"], "--seconds nan"),
        (["--out", "{tmp}/out", "--jobs", "0"], "--jobs is at least 1"),
    ],
)
def test_bad_options_have_an_exit_status(options, message, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["openpartir", "fuzz", *(o.format(tmp=tmp_path) for o in options)])
    assert main() == 2
    assert message in capsys.readouterr().err


STUB = """
import json, os, pathlib, signal, sys, time
lives = pathlib.Path(sys.argv[1])
for line in sys.stdin:
    print(json.dumps({"stage": "partition"}), flush=True)
    left = int(lives.read_text())
    lives.write_text(str(left - 1))
    if left > 0:
        {act}
    print(json.dumps({"facts": {"differs": None}}), flush=True)
"""


@pytest.fixture
def stub(tmp_path, monkeypatch):
    """Puts a child that acts in this way, a number of times, in place of the worker."""

    def set_up(act, times):
        script, lives = tmp_path / "stub.py", tmp_path / "lives"
        script.write_text(STUB.replace("{act}", act))
        lives.write_text(str(times))
        monkeypatch.setattr(module, "WORKER", [sys.executable, str(script), str(lives)])
        monkeypatch.setattr(time, "sleep", lambda _: None)

    return set_up


@quick
@pytest.mark.parametrize(("times", "kind"), [(1, None), (3, None), (9, "killed")])
def test_a_child_that_the_system_kills_is_asked_again(stub, times, kind):
    stub("os.kill(os.getpid(), signal.SIGKILL)", times)
    runner = Runner()
    facts = runner.examine(REDUCE, "shardy")
    runner.close()
    assert facts == ({"killed": "partition", "times": 4} if kind else {"differs": None})


@quick
def test_a_child_that_hangs_or_dies_is_told_apart_and_replaced(stub, monkeypatch):
    monkeypatch.setitem(module.SECONDS, "partition", 0.5)
    stub("signal.pause()", 1)
    runner = Runner()
    assert runner.examine(REDUCE, "shardy") == {"hung": "partition", "limit": 0.5}
    assert runner.examine(REDUCE, "shardy") == {"differs": None}
    stub('sys.exit("F0101 a.cc:3] Check failed: 1 == 2")', 1)
    runner.close()
    facts = runner.examine(REDUCE, "shardy")
    assert (facts["died"], facts["message"]) == ("partition", "F0101 a.cc:3] Check failed: 1 == 2")
    assert runner.examine(REDUCE, "shardy") == {"differs": None}
    runner.close()


@quick
def test_without_a_child_or_temporary_files_a_campaign_says_so(stub, monkeypatch, tmp_path, capsys):
    arguments = ["--out", str(tmp_path / "out"), "--programs", "2"]
    monkeypatch.setattr(module, "WORKER", [sys.executable, "-c", "raise SystemExit('no module')"])
    assert run_command(arguments) == 2
    assert "the child process does not start: no module" in capsys.readouterr().err
    monkeypatch.setattr(module._Child, "send", later(module._Child.send))
    assert run_command(["--out", str(tmp_path / "later"), "--programs", "2"]) == 2
    assert "the child process does not start: no module" in capsys.readouterr().err
    stub("sys.exit('died')", 99)
    monkeypatch.setattr(module.tempfile, "TemporaryFile", lambda: open("/dev/full", "wb", buffering=0))  # noqa: SIM115
    with pytest.raises(CampaignError, match=r"no room for temporary files in .*: No space left on device"):
        module._temporary_files()


def later(send):
    def after_its_end(child, line):
        child.process.wait()
        send(child, line)

    return after_its_end


def run_command(arguments):
    import argparse

    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(arguments))


def test_a_real_campaign_is_the_same_with_two_jobs_and_after_kills(tmp_path):
    campaign = real(tmp_path / "one")
    assert campaign.store.known and not campaign.store.unconfirmed
    real(tmp_path / "two", 2)
    assert found(tmp_path / "two") == found(tmp_path / "one")
    options = ["--target", "shardy", "--seed", "2", "--ops", "reduce", "--programs", "8", "--seconds", "999"]
    line = [sys.executable, "-m", "openpartir", "fuzz", *options, "--out", str(tmp_path / "killed")]
    for seconds in (4, 6, 8, 10):
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL)
        time.sleep(seconds)
        process.kill()
        process.wait()
    assert subprocess.run(line, stdout=subprocess.DEVNULL).returncode == 1
    subprocess.run([*line[:-1], str(tmp_path / "whole")], stdout=subprocess.DEVNULL)
    assert found(tmp_path / "killed") == found(tmp_path / "whole")
    store = Store(tmp_path / "killed", [{}] * 8)
    assert store.known and all(state == "there" for state in regress(tmp_path / "killed").values())


def test_a_child_ends_when_its_campaign_is_killed():
    text = f"""
import time
from openpartir.fuzz.program import Program
from openpartir.fuzz.runner import Runner
runner = Runner()
runner.examine(Program.from_json({REDUCE.to_json()!r}), "shardy")
print(runner._child.process.pid, flush=True)
time.sleep(99)
"""
    process = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    child = int(process.stdout.readline())
    os.kill(child, signal.SIGSTOP)  # as in a stage that hangs, it does not notice that its parent is gone
    process.kill()
    process.wait()
    for _ in range(100):
        if not pathlib.Path(f"/proc/{child}").exists():
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child is there still")


def test_two_workers_of_a_cluster_find_the_same_also_when_one_is_lost(tmp_path):
    distributed = pytest.importorskip("distributed")
    campaign = real(tmp_path / "here")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as there,
        cluster(there.scheduler_address) as (executor, count),
    ):
        assert count == 2
        other = Campaign(TASK, Options(tmp_path / "there", 1e9, 8, count))
        lost = []

        def lose_one():
            if len(other.entries) >= 3 and not lost:
                lost.append(there.workers[0].pid)
                os.kill(lost[0], signal.SIGKILL)

        other.run(executor, lose_one)
    assert lost and found(tmp_path / "there") == found(tmp_path / "here")
    assert other.store.known == campaign.store.known


def test_a_cluster_that_is_not_there_is_said(tmp_path):
    pytest.importorskip("distributed")
    with pytest.raises(CampaignError, match="no Dask scheduler answers"), cluster("tcp://127.0.0.1:9"):
        pass
