"""Stop commands at random moments (a small part of `make edges`) and at moments that are rare."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.edges.stopping import WITHIN, attack, attacks
from tests.support.busy import busy, mostly_within

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")


@pytest.mark.timed
def test_every_long_command_ends_within_a_second_of_a_signal() -> None:
    outcomes = [(one, attack(one)) for one in attacks(6, 11, (signal.SIGINT, signal.SIGTERM), moments=2.5)]
    assert [f"{one}: {came.wrong}" for one, came in outcomes if came.wrong] == []
    assert sum(came.seconds is not None for _, came in outcomes) > 6


@pytest.mark.timed
def test_a_command_that_is_killed_leaves_no_worker_behind() -> None:
    outcomes = [(one, attack(one)) for one in attacks(3, 12, (signal.SIGKILL,), moments=2.5)]
    assert [f"{one}: {came.wrong}" for one, came in outcomes if came.wrong] == []


class Ended(NamedTuple):
    """How a stopped program ended."""

    status: int
    out: str
    errors: str
    seconds: float
    """Seconds until it ended, less the time of other work."""


BEGIN = """
import sys
from fifteentwo.cli.stopping import stoppable
def notice():
    print("stopped", file=sys.stderr)
"""


def stopped(code: str, number: signal.Signals) -> Ended:
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN + code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    slower, began = busy(), time.monotonic()
    process.send_signal(number)
    out, errors = process.communicate(timeout=60)
    return Ended(process.returncode, out, errors, (time.monotonic() - began) / slower)


DEEP = """
import hashlib, threading
is_ready = threading.Event()
def notify():
    is_ready.wait()
    print("ready", flush=True)
with stoppable(notice):
    try:
        threading.Thread(target=notify).start()
        # `notify` must wait until this thread releases the interpreter lock.
        sys.setswitchinterval(1000)
        is_ready.set()
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
    finally:
        print("came back")
"""
"""A loop in C of many minutes that releases the interpreter lock and handles no signal before its end."""


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGTERM])
def test_a_program_in_a_long_loop_of_c_is_ended(number: signal.Signals) -> None:
    ended = stopped(DEEP, number)
    assert (ended.status, ended.errors, ended.out) == (128 + number, "stopped\n", "")


@pytest.mark.timed
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_program_in_a_long_loop_of_c_is_ended_within_a_second(number: signal.Signals) -> None:
    mostly_within(WITHIN, lambda: stopped(DEEP, number).seconds)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_program_closes_its_files_and_folders_before_it_ends(number: signal.Signals) -> None:
    code = """
import pathlib, tempfile, time
with stoppable(notice), tempfile.TemporaryDirectory() as folder:
    try:
        print("ready", flush=True)
        time.sleep(600)
    finally:
        print(folder)
"""
    ended = stopped(code, number)
    assert (ended.status, ended.errors) == (128 + number, "stopped\n")
    assert not Path(ended.out.strip()).exists()


def test_a_program_whose_output_nobody_reads_is_ended() -> None:
    code = "with stoppable(notice): print('ready', flush=True); print('x' * 10_000_000, flush=True)"
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN + code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert process.stdout.read(1) == "x"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    process.stdout.close()
    assert process.stderr is not None
    process.stderr.close()


def test_a_program_in_callbacks_that_cannot_raise_is_ended_without_noise() -> None:
    code = """
import weakref
def spend(_):
    for _ in range(20_000): pass
class Peg: pass
with stoppable(notice):
    print("ready", flush=True)
    while True: weakref.ref(Peg(), spend)"""
    ended = stopped(code, signal.SIGINT)
    assert (ended.status, ended.errors) == (130, "stopped\n")


def test_a_second_signal_changes_nothing() -> None:
    code = """
import os, signal, time
with stoppable(notice):
    try:
        print("ready", flush=True)
        time.sleep(600)
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        print("closed")
"""
    ended = stopped(code, signal.SIGINT)
    assert (ended.status, ended.errors, ended.out) == (130, "stopped\n", "closed\n")


def test_a_server_with_handlers_of_its_own_has_time_to_end() -> None:
    code = """
import signal, time
with stoppable(notice):
    received = []
    before = signal.signal(signal.SIGTERM, lambda *_: received.append(1))
    print("ready", flush=True)
    while not received: time.sleep(0.01)
    time.sleep(1)
    signal.signal(signal.SIGTERM, before)
    signal.raise_signal(signal.SIGTERM)
"""
    ended = stopped(code, signal.SIGTERM)
    assert (ended.status, ended.errors) == (143, "stopped\n")


def test_a_command_that_ignores_interrupts_continues() -> None:
    """A shell starts background jobs, and `nohup` its command, with signals ignored."""
    code = (
        "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "with stoppable(notice):\n    print('ready', flush=True); time.sleep(1); print('done')"
    )
    ended = stopped(code, signal.SIGINT)
    assert (ended.status, ended.out, ended.errors) == (0, "done\n", "")


def test_handlers_are_restored() -> None:
    from fifteentwo.cli.stopping import SIGNALS, stoppable

    before = [signal.getsignal(number) for number in SIGNALS], sys.unraisablehook
    with stoppable(lambda: None):
        assert [signal.getsignal(number) for number in SIGNALS] != before[0]
    assert ([signal.getsignal(number) for number in SIGNALS], sys.unraisablehook) == before


@pytest.mark.parametrize(
    ("number", "moment"),
    [
        (signal.SIGINT, 0.2),
        (signal.SIGTERM, 0.0),
        pytest.param(signal.SIGINT, 0.0, marks=pytest.mark.long),
        pytest.param(signal.SIGTERM, 0.2, marks=pytest.mark.long),
    ],
)
def test_a_command_is_stopped_while_workers_start_and_work(number: signal.Signals, moment: float) -> None:
    code = f"""
import time
from fifteentwo.processes import WorkerPool
with stoppable(notice), WorkerPool(2) as pool:
    jobs = [pool.submit(time.sleep, 600) for _ in range(4)]
    time.sleep({moment})
    print("ready", flush=True)
    jobs[0].result()
"""
    ended = stopped(code, number)
    assert (ended.status, ended.out, ended.errors) == (128 + number, "", "stopped\n")


SWALLOWED = """
import signal, sys, weakref
from fifteentwo.cli.stopping import stoppable

class Held:
    pass

held = Held()
kept = weakref.ref(held, lambda _: signal.raise_signal(signal.SIGINT))
with stoppable(lambda: print("stopped")):
    del held
    if sys.argv[1] == "exit":
        raise SystemExit(0)
"""


@pytest.mark.parametrize("end", ["return", "exit"])
def test_a_signal_in_a_callback_of_a_weak_reference_is_not_lost(end: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWED, end], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "stopped\n", "")
