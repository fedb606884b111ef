"""Commands stopped at random moments, a small part of `make edges`; ways out that chance seldom takes."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.edges.stopping import attack, attacks
from tests.server.busy import busy

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")


@pytest.mark.timed
def test_every_long_command_is_gone_within_a_second_of_a_signal() -> None:
    told = [(one, attack(one)) for one in attacks(6, 11, (signal.SIGINT, signal.SIGTERM), moments=2.5)]
    assert [f"{one}: {came.wrong}" for one, came in told if came.wrong] == []
    assert sum(came.seconds is not None for _, came in told) > 6


# Workers that are compiling as their parent is killed live longer than 5 s: not mended yet.
@pytest.mark.slow
def test_a_command_that_is_killed_leaves_no_worker_behind() -> None:
    told = [(one, attack(one)) for one in attacks(3, 12, (signal.SIGKILL,), moments=2.5)]
    assert [f"{one}: {came.wrong}" for one, came in told if came.wrong] == []


def stopped(code: str, number: signal.Signals) -> tuple[int, str, float, float]:
    """Status, what was said, seconds, and how slow the machine is, of code stopped once it is ready."""
    whole = f"from fifteentwo.cli.stopping import Stoppable, Stopped\nimport sys\n{code}"
    process = subprocess.Popen(
        [sys.executable, "-c", whole], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    slower, began = busy(), time.monotonic()
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    return process.returncode, said, time.monotonic() - began, slower


ENDING = """
stoppable = Stoppable(lambda: print("stopped", file=sys.stderr))
with stoppable:
    try:
        {body}
    except Stopped as stopped:
        stoppable.leave(stopped.status)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_deep_in_a_loop_that_hears_nothing_it_is_ended_from_beside(number: signal.Signals) -> None:
    code = 'import numpy as np\nprint("ready", flush=True); np.linalg.svd(np.ones((6000, 6000)))'
    status, said, seconds, slower = stopped(ENDING.format(body=code.replace("\n", "; ")), number)
    assert (status, said) == (128 + number, "stopped\n")
    assert 0.5 < seconds < 1.0 * slower


def test_with_nobody_reading_it_is_ended_all_the_same() -> None:
    code = ENDING.format(body='print("ready", flush=True); print("x" * 10_000_000, flush=True)')
    process = subprocess.Popen(
        [sys.executable, "-c", f"from fifteentwo.cli.stopping import Stoppable, Stopped\nimport sys\n{code}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    process.stdout.close()
    assert process.stderr is not None
    process.stderr.close()


def test_where_nothing_can_be_raised_it_is_raised_a_moment_later() -> None:
    body = """import weakref
        def spend(_):
            for _ in range(20_000): pass
        class Peg: pass
        print("ready", flush=True)
        while True: weakref.ref(Peg(), spend)"""
    for _ in range(3):
        status, said, _, _ = stopped(ENDING.format(body=body), signal.SIGINT)
        assert (status, said) == (130, "stopped\n")


def test_what_was_told_to_ignore_interrupts_goes_on() -> None:
    """As `nohup` and shells' background jobs ask of a program."""
    code = (
        "import signal, sys, time; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from fifteentwo.cli.stopping import Stoppable\n"
        "with Stoppable(lambda: None):\n    print('ready', flush=True); time.sleep(1); print('done')"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "done\n"


def test_handlers_are_as_they_were_afterwards() -> None:
    from fifteentwo.cli.stopping import SIGNALS, Stoppable

    before = [signal.getsignal(number) for number in SIGNALS], sys.unraisablehook
    with Stoppable(lambda: None):
        assert [signal.getsignal(number) for number in SIGNALS] != before[0]
    assert ([signal.getsignal(number) for number in SIGNALS], sys.unraisablehook) == before


def test_a_lost_parent_ends_workers_whatever_they_are_at() -> None:
    """Killed while its workers sleep and count: they end by themselves."""
    code = """
import sys, time
from pathlib import Path
import numpy as np
from fifteentwo.processes import Workers
with Workers(2) as workers:
    workers.submit(time.sleep, 600)
    workers.submit(np.linalg.svd, np.ones((4000, 4000)))
    workers.submit(print).cancel()
    while len(workers._processes) < 2: time.sleep(0.01)
    print(*workers._processes, flush=True)
    time.sleep(600)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    workers = [int(pid) for pid in process.stdout.readline().split()]
    assert len(workers) == 2
    time.sleep(1.0)
    process.kill()
    process.communicate()
    slower, began = busy(), time.monotonic()
    while any(_is_alive(pid) for pid in workers):
        assert (time.monotonic() - began) / slower < 5
        time.sleep(0.02)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
