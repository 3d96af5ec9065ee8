"""A first bot: settles where it gets all resources, builds what is dearest. Plays 400 games against three random players."""

import constructor_game as c

WORTH = {"improve": 3, "build-basement": 2, "build-road": 1}


def bot(game: c.Game) -> int:
    """Return the index of a legal action."""
    me = game.player or 0
    own = {game.tiles[tile][0] for vertex, _ in game.residences[me] for tile in c.VERTEX_TILES[vertex]}

    def score(action: int) -> int:
        part = c.ACTIONS[action]
        if part.kind == "settle" and part.vertex is not None:
            tiles = [game.tiles[tile] for tile in c.VERTEX_TILES[part.vertex]]
            return 10 * len({resource for resource, _ in tiles} - own) + sum(6 - abs(7 - value) for _, value in tiles)
        return -1 if part.kind == "build-road" and len(game.roads[me]) > 7 else WORTH.get(part.kind, 0)

    return max(game.legal_actions(), key=score)


print(c.match(bot, "random", boards=100))
