"""Provides the executors of a campaign's tasks: threads of this process, or the workers of a Dask cluster."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from openpartir.fuzz.disk import GOES_ON, CampaignError
from openpartir.fuzz.findings import versions
from openpartir.fuzz.tasks import stop_all

__all__ = ["cluster", "threads"]


@contextmanager
def threads(jobs: int) -> Iterator[tuple[Executor, int]]:
    """Yield threads that each use a child process of their own, and their number; children end with the block."""
    executor = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        yield executor, jobs
    finally:
        stop_all()
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Yield the workers of a Dask scheduler, such as "tcp://host:8786", and the number of their threads.

    The scheduler reassigns a task whose worker is lost. Raises CampaignError if `distributed` is not installed, no
    scheduler answers, workers have another jaxlib, or too many of them die.
    """
    try:
        import distributed
        from distributed.comm import CommClosedError
    except ImportError as error:
        raise CampaignError("--cluster needs Dask: pip install openpartir[cluster]") from error
    try:
        client = distributed.Client(address, timeout=20)
    except (OSError, ValueError) as error:
        raise CampaignError(f"--cluster {address}: no Dask scheduler answers there: {error}") from error
    lost = (distributed.KilledWorker, CommClosedError, concurrent.futures.CancelledError)
    try:
        with client:
            count = sum(client.nthreads().values())
            if count == 0:
                raise CampaignError(f"--cluster {address}: the scheduler has no workers")
            ours = versions()["jaxlib"]
            for worker, theirs in client.run(versions).items():
                if theirs["jaxlib"] != ours:
                    raise CampaignError(f"--cluster: {worker} has jaxlib {theirs['jaxlib']}, this machine {ours}")
            yield client.get_executor(pure=False), count
    except lost as error:
        raise CampaignError(f"--cluster {address}: workers were lost: {error}; {GOES_ON}") from error
