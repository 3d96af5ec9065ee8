"""The command line: `python -m constructor_game.cluster`."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from constructor_game import cluster, editions


def _whole(text: str) -> int:
    """Return a whole number, which may be written like 1e9."""
    if text.isdecimal():
        return int(text)
    try:
        number = float(text)
        if number != int(number) or abs(number) > 1e15:
            raise ValueError
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"expected a whole number, such as 1000000 or 1e6, not '{text}'") from None
    return int(number)


def _rates(text: str) -> tuple[float, float]:
    try:
        low, high = (float(rate) for rate in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected two win rates, such as 0.25,0.3, not '{text}'") from None
    return low, high


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m constructor_game.cluster", description="Play on all machines of a Ray cluster."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    games = argparse.ArgumentParser(add_help=False)
    games.add_argument("--address", help="address of the Ray cluster, such as auto; by default one is started here")
    games.add_argument("--cpus", type=_whole, help="number of CPUs of a cluster that is started here")
    games.add_argument("--seed", type=_whole, default=0, help="seed from which all seeds are derived (default: 0)")
    games.add_argument("--edition", choices=editions(), default="constructor", help="edition whose rules are played")
    games.add_argument("--quiet", action="store_true", help="print only errors")
    games.add_argument("--out", type=Path, required=True, help="folder for the results; an earlier run in it goes on")
    games.add_argument("--playouts", type=_whole, help="playouts of hard and expert players for each decision")
    games.add_argument("--layout", type=Path, help="file with the layout; by default each game has its own")
    games.add_argument("--trades", action="store_true", help="let players offer trades")
    games.add_argument("--max-turns", type=_whole, default=10_000, help="turns after which a game ends")
    games.add_argument("--unit-games", type=_whole, help="games of a unit (default: those of about ten seconds)")
    games.add_argument("--no-rows", dest="rows", action="store_false", help="write no Parquet files")

    simulate = commands.add_parser("simulate", parents=[games], help="play games between four players")
    simulate.add_argument("--games", type=_whole, default=1_000, help="number of games, such as 1e9 (default: 1000)")
    simulate.add_argument("--players", default="random,random,greedy,greedy", help="four players, with commas between")
    simulate.add_argument("--fixed-seats", action="store_true", help="keep every player on one seat")

    match = commands.add_parser("match", parents=[games], help="play one player against three of another")
    match.add_argument("--boards", type=_whole, default=250, help="number of boards; each is played from every seat")
    match.add_argument(
        "--players", default="greedy,random", help="the player and the three others (default: %(default)s)"
    )
    match.add_argument(
        "--sprt", type=_rates, help="stop once a sequential test decides between two win rates: 0.25,0.3"
    )
    match.add_argument("--adjust", type=float, help="adjust results for luck, by this share of it, 0 to 1")

    return parser


def _run(options: argparse.Namespace, print_report: Callable[[str], object]) -> str:
    """Run a command. Return what it prints at the end."""
    where: dict[str, Any] = {"address": options.address, "cpus": options.cpus}
    settings: dict[str, Any] = {
        name: getattr(options, name)
        for name in ("seed", "edition", "layout", "trades", "max_turns", "playouts", "rows", "unit_games", "quiet")
    }
    players = options.players.split(",")
    if options.command == "simulate":
        results = cluster.simulate(
            options.games, players, options.out, rotate_seats=not options.fixed_seats, **settings, **where
        )
    elif len(players) == 2:
        player, others = players
        tests: dict[str, Any] = {"sprt": options.sprt, "adjust": options.adjust}
        results = cluster.match(player, others, options.boards, options.out, **tests, **settings, **where)
    else:
        raise ValueError(f"players: expected two, not {len(players)}")
    return "" if options.quiet else results.table


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit status."""
    options = _parser().parse_args(arguments)
    status = 128 + signal.SIGINT

    def interrupt(number: int, _frame: FrameType | None) -> None:
        nonlocal status
        status = 128 + number
        # Of all exceptions, Ray hands on only this one as it is.
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    stdout = sys.stdout
    try:
        # Ray prints messages about lost nodes: only results belong on standard output.
        with contextlib.redirect_stdout(sys.stderr):
            text = _run(options, lambda line: print(line, end="", file=stdout, flush=True))
        print(text, end="", flush=True)
    except KeyboardInterrupt:
        return status
    except (ValueError, OSError, cluster.SignatureError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except ImportError as error:
        print(f"error: {error}: install constructor-game[cluster]", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
