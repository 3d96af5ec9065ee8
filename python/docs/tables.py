"""Writes the tables of docs/tables.md from the package; `--check` only compares."""

import sys
from itertools import groupby
from pathlib import Path

import constructor_game as c

PARTS = {
    "settle": "`vertex`: place a first basement",
    "roll": "roll the dice",
    "move-geese": "`tile`: move the geese",
    "rob": "`builder`: steal a unit",
    "build-road": "`edge`: build a road",
    "build-basement": "`vertex`: build a basement",
    "improve": "`vertex`: improve a basement to a house, or a house to a tower",
    "offer": "`builder`, then `give`, then `take`: offer one unit for one",
    "accept": "accept the offered trade",
    "refuse": "refuse it",
    "end-turn": "end the turn",
}

INTRODUCTION = """# Tables of actions and observations

<!-- Written by docs/tables.py. -->

Both have a version, `ACTIONS_VERSION` and `OBSERVATION_VERSION`. Actions are never renumbered: a new version only adds some. A change of the
observation makes a new version.

"""

NUMBERS = """
Builders are numbered 0 to 3 in turn order, resources 0 to 4: {resources}. Tiles, vertices and edges have the numbers of the board's drawing;
`VERTEX_TILES` and `EDGE_VERTICES` tell what touches. `ACTIONS[i]` has the name and the parts of action `i`.

"""

OBSERVED = """
An observation has {size} entries of `uint8`, seen from the seat of one builder: `me`, `next`, `across`, `previous` in turn order. Nothing
is hidden in this game, so it is complete, but for the order of building. `OBSERVATION[i]` is the name of entry `i`, `OBSERVATION_MAX[i]` its
greatest value. `to_float` divides every entry by its `OBSERVATION_SCALE`.

"""

MEANINGS = {
    "residence": "0 nothing, 1 basement, 2 house, 3 tower, by vertex",
    "road": "1 where there is one, by edge",
    "hand": "units, by resource; 255 for more",
    "income": "units expected in 36 rolls, with the geese where they are, by resource",
    "points": "points",
    "geese": "1 for the tile of the geese",
    "phase": "1 for the phase: {phases}",
    "setup-step": "first basements placed, in the setup",
    "acting": "1 for the current player: `me`, `next`, `across`, `previous`",
    "offer": "an offered trade: who offers (4), to whom (4), what is given (5), what is taken (5)",
    "tile": "for each tile: 1 for its resource (5) or the park, its value, its pips: of 36 rolls, how many it produces on",
}


COMPACT = """
## Compact observations

`VectorEnv(observations="compact")` and `Game.observe(compact=True)` write {size} entries instead: categories as numbers, for networks that look them
up in embeddings, and for large buffers. They say the same, but for incomes and pips, which follow from the rest. `COMPACT_OBSERVATION` has the names.

"""

COMPACT_MEANINGS = {
    "vertex": "0 nothing; 1 basement, 2 house, 3 tower of `me`, 4 to 6 of `next`, 7 to 9 of `across`, 10 to 12 of `previous`",
    "edge": "0 nothing; 1 a road of `me`, 2 of `next`, 3 of `across`, 4 of `previous`",
    "geese": "0 off the board, otherwise 1 and the tile",
    "phase": "the number in `PHASES`",
    "setup-step": "first basements placed, in the setup",
    "acting": "0 nobody; 1 `me`, 2 `next`, 3 `across`, 4 `previous`",
    "offer": "an offered trade, or 0: who offers and to whom, as above; what is given and taken, 1 and the resource",
    "tile": "0 a park, otherwise 1 and the resource; the value, 0 for a park",
}


def ranges(names: list[str]) -> list[tuple[str, int, int]]:
    """Return the first and last number of each name that is repeated."""
    numbered = groupby(enumerate(names), key=lambda item: item[1])
    found = []
    for name, items in numbered:
        numbers = [number for number, _ in items]
        found.append((name, numbers[0], numbers[-1]))
    return found


def group(name: str) -> str:
    """Return what an entry of an observation belongs to."""
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] in ("me", "next", "across", "previous") else parts[0]


def text() -> str:
    """Return the document."""
    rows = ["## Actions", "", "| indices | kind | parts |", "| --- | --- | --- |"]
    for kind, first, last in ranges([action.kind for action in c.ACTIONS]):
        rows.append(f"| {first if first == last else f'{first} to {last}'} | `{kind}` | {PARTS[kind]} |")
    actions = "\n".join(rows) + "\n" + NUMBERS.format(resources=", ".join(c.RESOURCES))
    rows = ["| entries | names | greatest | meaning |", "| --- | --- | --- | --- |"]
    for name, first, last in ranges([group(name) for name in c.OBSERVATION]):
        meaning = MEANINGS[name.split(".")[-1]].format(phases=", ".join(f"`{phase}`" for phase in c.PHASES))
        entries = f"{first}" if first == last else f"{first} to {last}"
        names = f"`{c.OBSERVATION[first]}`" + ("" if first == last else f" to `{c.OBSERVATION[last]}`")
        rows.append(f"| {entries} | {names} | {c.OBSERVATION_MAX[first : last + 1].max()} | {meaning} |")
    observed = "## Observations\n" + OBSERVED.format(size=len(c.OBSERVATION)) + "\n".join(rows) + "\n"
    rows = ["| entries | names | greatest | meaning |", "| --- | --- | --- | --- |"]
    for name, first, last in ranges([name.split(".")[0] for name in c.COMPACT_OBSERVATION]):
        entries = f"{first}" if first == last else f"{first} to {last}"
        names = f"`{c.COMPACT_OBSERVATION[first]}`" + ("" if first == last else f" to `{c.COMPACT_OBSERVATION[last]}`")
        greatest = c.COMPACT_OBSERVATION_MAX[first : last + 1].max()
        rows.append(
            f"| {entries} | {names} | {greatest} | {COMPACT_MEANINGS.get(name, 'hand, by resource, and points')} |"
        )
    compact = COMPACT.format(size=len(c.COMPACT_OBSERVATION)) + "\n".join(rows) + "\n"
    return INTRODUCTION + actions + observed + compact


if __name__ == "__main__":
    path = Path(__file__).with_name("tables.md")
    if "--check" in sys.argv:
        sys.exit(
            0 if path.read_text(encoding="utf-8") == text() else f"{path} is out of date: run python docs/tables.py"
        )
    path.write_text(text(), encoding="utf-8")
