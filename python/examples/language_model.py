"""Let a language model play by texts. Here, a script stands in for it: replace `complete` by a call of your model.

python examples/language_model.py
"""

from __future__ import annotations

import re

import constructor_game as c

TRIES = 3


def prompt(game: c.Game) -> str:
    """Describe a decision, and how to answer."""
    me, names = game.player, game.builder_names
    assert me is not None
    lines = [f"You are {names[me]}. The first builder with 10 points wins.", str(game)]
    for builder, hand in enumerate(game.hands):
        units = ", ".join(f"{count} {name}" for count, name in zip(hand, game.resource_names, strict=True))
        lines.append(f"{names[builder]}: {game.points[builder]} points, {units}")
    actions = [game.action_text(action) for action in game.legal_actions()]
    return "\n".join([*lines, "You may:", *actions, "Answer with one of these lines in quotation marks."])


def complete(text: str) -> str:
    """Stand in for a model, and make mistakes as one does: it likes the last legal line, unless the board is large."""
    lines = text.splitlines()
    if "not possible" not in text and len(text) % 7 == 0:
        return 'I would "buy a castle".'
    return f'I think "{lines[-2]}" is best.'


def decide(game: c.Game) -> int:
    """Ask for an action, say what is wrong with an answer, and take the first legal action if nothing helps."""
    question = prompt(game)
    for _ in range(TRIES):
        quoted = re.findall(r'"([^"]*)"', complete(question))
        try:
            action = game.parse(quoted[-1] if quoted else "")
            if game.is_legal(action):
                return action
            mistake = "it is not allowed now"
        except ValueError as error:
            mistake = str(error)
        question = f"That is not possible: {mistake}.\n{prompt(game)}"
    return game.legal_actions()[0]


def main() -> None:
    """Play a match against random players."""
    print(c.match(decide, "random", boards=5, max_turns=300))


if __name__ == "__main__":
    main()
