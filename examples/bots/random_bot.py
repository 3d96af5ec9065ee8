#!/usr/bin/env python3
"""Plays Constructor at random, but never ends a turn in which it can build. Protocol: docs/bots.md, JSON.

    constructor -random-board -players human,"json:python3 examples/bots/random_bot.py",greedy,greedy
"""

import json
import random
import sys

ORDER = ["improve", "build-res", "complete", "build-road", "achieve"]


def rank(action):
    """The position of an action's command in ORDER; trades last."""
    command = action["text"].split()[0]
    if command in ORDER:
        return ORDER.index(command)
    return len(ORDER) + (command == "trade")


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        random.seed(message["you"])
    elif message["type"] == "choose":
        best = min(map(rank, message["actions"]))
        action = random.choice([a for a in message["actions"] if rank(a) == best])
        print(json.dumps({"id": message["id"], "index": action["index"]}), flush=True)
