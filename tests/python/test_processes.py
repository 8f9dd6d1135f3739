"""Two processes with four devices each compute what one process with eight does."""

import os
import pathlib
import socket
import subprocess
import sys

import numpy as np
import pytest

WORKER = pathlib.Path(__file__).with_name("two_processes.py")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.mark.slow
def test_two_processes_train_as_one(tmp_path):
    env = {k: v for k, v in os.environ.items() if k != "XLA_FLAGS"}
    start = lambda *args: subprocess.Popen([sys.executable, WORKER, *map(str, args)], env=env)  # noqa: E731
    port = free_port()
    both = ("--processes", 2, "--port", port, "--process")
    workers = [start(tmp_path / "two.npz", *both, i) for i in (0, 1)]
    try:
        assert [w.wait(timeout=600) for w in workers] == [0, 0]
        alone = start(tmp_path / "one.npz")
        workers.append(alone)
        assert alone.wait(timeout=600) == 0
    finally:
        for w in workers:
            w.kill()
    one, two = np.load(tmp_path / "one.npz"), np.load(tmp_path / "two.npz")
    assert set(one) == set(two) and len(one) > 20
    for name in one:
        # gloo adds in another order than a single process does.
        bound = 1e-5 * max(1e-3, np.abs(one[name]).max(initial=0))
        np.testing.assert_allclose(two[name], one[name], rtol=0, atol=bound, err_msg=name)
