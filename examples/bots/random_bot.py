"""A bot that plays at random, in Python. Try `fifteentwo arena "python random_bot.py" random --games 20`."""

import json
import random
import sys


def choose(view):
    """Return an action that the seat of this View may do."""
    seat, phase = view["seat"], view["phase"]
    if phase == "discard":
        away = random.sample(view["hand"], view["rules"]["discards"])
        return {"type": "Discard", "seat": seat, "cards": away}
    if phase == "play":
        fits = [card for card in view["hand"] if view["count"] + value(card) <= 31]
        return {"type": "Play", "seat": seat, "card": random.choice(fits)}
    if phase == "draw":
        return {"type": "Draw", "seat": seat, "at": random.choice([*{*range(52)} - {*view["drawn_at"]}])}
    if phase in ("cut", "cut-stock"):
        return {"type": "Cut", "seat": seat, "at": random.randint(4, 20)}
    return {"seat": seat} | ({"type": "Claim", "points": 0} if phase == "claim" else {"type": "Accept"})


def value(card):
    return 10 if card[0] in "TJQK" else "A23456789".index(card[0]) + 1


for line in sys.stdin.buffer:
    try:
        message = json.loads(line)
        if message.get("type") == "hello":
            random.seed(message.get("seed"))
            print('{"type":"hello","name":"Random in Python","protocol":1}\n{"type":"ready"}', flush=True)
        elif message.get("type") == "quit":
            break
        elif "type" not in message:
            print(json.dumps(choose(message)), flush=True)
    except (ValueError, KeyError, AttributeError, RecursionError) as error:
        print(json.dumps({"type": "error", "code": "not-readable", "why": repr(error)}), flush=True)
