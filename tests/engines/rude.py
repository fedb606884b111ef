"""A program that plays well for a while and then misbehaves: `python rude.py MANNER AFTER`."""

import json
import os
import subprocess
import sys
import time

from fifteentwo.players import player
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View

manner, after = sys.argv[1], int(sys.argv[2])
answered = 0


def misbehave(view: View) -> None:
    seat = view.seat
    if manner in ("hang", "hang-with-child"):
        if manner == "hang-with-child":
            subprocess.Popen(["sleep", "600"])
        while True:
            time.sleep(60)
    if manner == "crash":
        raise RuntimeError("out of \x1b[31mluck")
    if manner == "vanish":
        os._exit(7)
    if manner == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    if manner == "flood-lines":
        while True:
            sys.stdout.write("\n" * 65536)
    if manner == "flood-errors":
        while True:
            sys.stderr.write("x" * 65536)
    written = {
        "lie": json.dumps({"type": "Play", "seat": seat, "card": "XX"}),
        "illegal": json.dumps({"type": "Claim", "seat": seat, "points": 29}),
        "other-seat": json.dumps({"type": "Accept", "seat": 1 - seat}),
        "not-json": "I play the five",
        "not-utf8": "\udcff\udcfe",
        "deep": "[" * 100_000,
        "forfeit": json.dumps({"type": "Forfeit", "seat": seat, "why": "resigned"}),
        "twice": "\n".join([to_json(player("greedy", 1).act(view)).decode()] * 2),
        "hello-again": '{"type":"hello","name":"x","protocol":1}',
        "error": '{"type":"error","code":"tired"}',
    }[manner]
    sys.stdout.buffer.write(written.encode(errors="surrogateescape") + b"\n")
    sys.stdout.flush()


# This player answers until the misbehaviour begins.
well_behaved_player = player("greedy", 1)
for line in sys.stdin:
    if '"type"' in line.partition(":")[0]:
        if manner == "slow-start":
            time.sleep(0.3)
        continue
    if line.strip() == "quit":
        break
    seen = from_json(line, View)
    if manner == "slow":
        time.sleep(0.05)
    elif manner not in ("slow-start", "polite") and answered >= after:
        misbehave(seen)
        continue
    print(to_json(well_behaved_player.act(seen)).decode(), flush=True)
    answered += 1
