"""Commands stopped at random moments, a small part of `make edges`; ways out that chance seldom takes."""

import os
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
def test_every_long_command_is_gone_within_a_second_of_a_signal() -> None:
    outcomes = [(one, attack(one)) for one in attacks(6, 11, (signal.SIGINT, signal.SIGTERM), moments=2.5)]
    assert [f"{one}: {came.wrong}" for one, came in outcomes if came.wrong] == []
    assert sum(came.seconds is not None for _, came in outcomes) > 6


@pytest.mark.timed
def test_a_command_that_is_killed_leaves_no_worker_behind() -> None:
    outcomes = [(one, attack(one)) for one in attacks(3, 12, (signal.SIGKILL,), moments=2.5)]
    assert [f"{one}: {came.wrong}" for one, came in outcomes if came.wrong] == []


class Ended(NamedTuple):
    """What came of code that was stopped."""

    status: int
    out: str
    errors: str
    seconds: float
    """As if alone on the machine."""


def stopped(code: str, number: signal.Signals) -> Ended:
    """Stop some code as soon as it says that it is ready."""
    whole = f"from fifteentwo.cli.stopping import Stoppable, Stopped\nimport sys\n{code}"
    process = subprocess.Popen(
        [sys.executable, "-c", whole], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    slower, began = busy(), time.monotonic()
    process.send_signal(number)
    out, errors = process.communicate(timeout=60)
    return Ended(process.returncode, out, errors, (time.monotonic() - began) / slower)


ENDING = """
stoppable = Stoppable(lambda: print("stopped", file=sys.stderr))
with stoppable:
    try:
        {body}
    except Stopped as stopped:
        stoppable.leave(stopped.status)
"""


DEEP = """
import hashlib, threading
stoppable, is_ready = Stoppable(lambda: print("stopped", file=sys.stderr)), threading.Event()
def notify():
    is_ready.wait()
    print("ready", flush=True)
with stoppable:
    try:
        threading.Thread(target=notify).start()
        # No other thread runs before this one needs nothing of Python: so `notify` waits for that.
        sys.setswitchinterval(1000)
        is_ready.set()
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
    finally:
        print("came back")
"""
"""Many minutes in a loop of C that lets other threads run, and hears of no signal before it is done."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_deep_in_a_loop_that_hears_nothing_a_thread_ends_it(number: signal.Signals) -> None:
    ended = stopped(DEEP, number)
    assert (ended.status, ended.errors, ended.out) == (128 + number, "stopped\n", "")


@pytest.mark.timed
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_deep_in_a_loop_that_hears_nothing_it_is_ended_within_a_second(number: signal.Signals) -> None:
    mostly_within(WITHIN, lambda: stopped(DEEP, number).seconds)


def test_unread_it_is_ended_all_the_same() -> None:
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
        ended = stopped(ENDING.format(body=body), signal.SIGINT)
        assert (ended.status, ended.errors) == (130, "stopped\n")


LAST = """
import os, signal, weakref
stoppable = Stoppable(lambda: print("stopped", file=sys.stderr))
class Peg: pass
def heard(_): {callback}
put_back = signal.signal
def kill_first(*given):
    signal.signal = put_back
    os.kill(os.getpid(), signal.SIGTERM)
    return put_back(*given)
with stoppable:
    peg = Peg()
    gone = weakref.ref(peg, heard)
    {last}
    del peg
print("went on")
"""


@pytest.mark.parametrize(
    ("callback", "last"),
    [("os.kill(os.getpid(), signal.SIGTERM)", "pass"), ("pass", "signal.signal = kill_first")],
    ids=["where nothing can be raised", "while handlers are put back"],
)
def test_a_signal_with_the_last_thing_that_is_done_is_heard(callback: str, last: str) -> None:
    code = "from fifteentwo.cli.stopping import Stoppable\nimport sys\n" + LAST.format(
        callback=callback, last=last
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (143, "", "stopped\n")


def test_a_command_that_ignores_interrupts_goes_on() -> None:
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


WORK = (
    "time.sleep(600)",
    # In a loop of C, threads of Python running meanwhile or not.
    "hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)",
    "ctypes.PyDLL(None).sleep(600)",
)
PID = 10
"""Characters of the number of a process."""


def test_a_lost_parent_ends_workers_whatever_they_are_at() -> None:
    """The parent is killed; and they were started by a thread of it that is over by then."""
    code = f"""
import threading, time
from fifteentwo.processes import Workers
with Workers({len(WORK)}) as workers:
    def start():
        for work in {WORK}:
            begin = "import ctypes, hashlib, os, time; os.write(1, b'%{PID}d' % os.getpid()); "
            workers.submit(exec, begin + work)
        workers.submit(print).cancel()
    starting = threading.Thread(target=start)
    starting.start()
    starting.join()
    time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        workers = [int(process.stdout.read(PID)) for _ in WORK]
        time.sleep(0.2)
        assert all(_is_alive(pid) for pid in workers)
        process.kill()
    until = time.monotonic() + 60
    try:
        while any(_is_alive(pid) for pid in workers):
            assert time.monotonic() < until
            time.sleep(0.02)
    finally:
        for pid in filter(_is_alive, workers):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_is_sent_to_a_whole_group_is_not_for_workers(number: signal.Signals) -> None:
    """They go on; and a pool that lost one of them ends the others all the same."""
    code = f"""
import os, signal, time
from concurrent.futures.process import BrokenProcessPool
from fifteentwo.processes import Workers
with Workers(2) as workers:
    futures = [workers.submit(os.getpid), workers.submit(time.sleep, 600)]
    for pid in workers._processes: os.kill(pid, {number})
    assert workers.submit(abs, -1).result() == 1
    os.kill(futures[0].result(), signal.SIGKILL)
    try: futures[1].result()
    except BrokenProcessPool: print("broken")
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "broken\n", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_stopped_while_a_worker_is_started_is_stopped_once_it_is(number: signal.Signals) -> None:
    code = f"""
import os
from concurrent.futures import ProcessPoolExecutor
from fifteentwo.cli.stopping import Stoppable, Stopped
from fifteentwo.processes import Workers
start = ProcessPoolExecutor.submit
def submit(*given):
    os.kill(os.getpid(), {number})
    print("started", flush=True)
    return start(*given)
ProcessPoolExecutor.submit = submit
with Stoppable(lambda: print("stopped")) as stoppable:
    try:
        with Workers(1) as workers: workers.submit(abs, -1)
    except Stopped as stopped:
        stoppable.leave(stopped.status)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (128 + number, "started\nstopped\n", "")


def test_what_a_killed_program_leaves_is_removed_without_a_word() -> None:
    code = """
import os
from fifteentwo.processes import Workers
with Workers(1) as workers:
    assert workers.submit(abs, -1).result() == 1
    os._exit(3)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (3, "", "")


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
