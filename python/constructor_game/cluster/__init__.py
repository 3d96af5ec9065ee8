"""Simulations and matches on many machines, by Ray. Needs the extra `cluster`.

The work is cut into units: ranges of games whose results depend only on the job and the range. A unit can be played on any machine,
and again where a machine is lost. Its results go to a folder, where another run goes on. From a shell:

    python -m constructor_game.cluster simulate --games 1e9 --players expert,normal,normal,normal --address auto --out folder
"""

from .games import match, simulate
from .pool import SignatureError

__all__ = ["SignatureError", "match", "simulate"]
