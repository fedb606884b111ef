"""A bot that plays at random, in Python: fifteentwo arena "python random_bot.py" random --games 20"""

import json
import random
import sys

luck = random.Random()


def action(view):
    """Return any action that the View's seat may do."""
    seat, phase, rules = view["seat"], view["phase"], view["rules"]
    if phase == "discard":
        return {"type": "Discard", "seat": seat, "cards": luck.sample(view["hand"], rules["discards"])}
    if phase == "play":
        fits = [card for card in view["hand"] if view["count"] + value(card) <= 31]
        return {"type": "Play", "seat": seat, "card": luck.choice(fits)}
    if phase == "draw":
        free = [at for at in range(52) if at not in view["drawn_at"]]
        return {"type": "Draw", "seat": seat, "at": luck.choice(free)}
    if phase in ("cut", "cut-stock"):
        return {"type": "Cut", "seat": seat, "at": 10}
    if phase == "claim":
        return {"type": "Claim", "seat": seat, "points": 0}
    return {"type": "Accept", "seat": seat}


def value(card):
    return "A23456789TJQK".find(card[0]) + 1 if card[0] not in "TJQK" else 10


for line in sys.stdin:
    message = json.loads(line) if line.startswith("{") else {"type": line.strip()}
    if "type" not in message:
        print(json.dumps(action(message)), flush=True)
    elif message["type"] == "hello":
        luck.seed(message.get("seed"))
        print('{"type":"hello","name":"Random in Python","protocol":1}\n{"type":"ready"}', flush=True)
    elif message["type"] == "quit":
        break
