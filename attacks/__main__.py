"""Runs the attacks: ``python -m attacks``. Exits with 0 when every one is proven, 1 when not, 2 on wrong usage.

An attack on a server that is not installed is left out, and said to be; ``--store redis`` asks for all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from attacks.attack import Attack
from attacks.catalog import ATTACKS
from attacks.report import catalog_table, document, judge, markdown, tabulate
from attacks.runner import Proof, prove
from attacks.servers import PROGRAM
from attacks.target import OWN_REDIS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what ``arguments`` ask for and return the exit status."""
    options = _build_parser().parse_args(arguments)
    chosen = [attack for attack in ATTACKS if not options.only or attack.name in options.only]
    console = Console(width=None if sys.stdout.isatty() else 140)
    if options.markdown:
        print(markdown(ATTACKS), end="")
        return 0
    if options.list:
        console.print(catalog_table(chosen))
        return 0
    proofs = _prove_all(chosen, options.store, console)
    console.print(tabulate(proofs))
    if options.json:
        options.json.write_text(json.dumps(document(proofs), indent=2) + "\n")
    return _conclude(proofs, options.store == OWN_REDIS, console)


def _conclude(proofs: Sequence[Proof], all_of_them: bool, console: Console) -> int:
    left_out = [proof.attack.name for proof in proofs if proof.left_out]
    missed = [proof.attack.name for proof in proofs if not proof.proven and (all_of_them or not proof.left_out)]
    proven = sum(proof.proven for proof in proofs)
    if left_out:
        how = f"on Debian: sudo apt-get install {PROGRAM}"
        console.print(f"Left out, because {PROGRAM} is not installed ({how}): {', '.join(left_out)}")
    console.print(f"Not proven: {', '.join(missed)}" if missed else f"All {proven} attacks are proven both ways.")
    return 1 if missed else 0


def _prove_all(chosen: Sequence[Attack], store: str | None, console: Console) -> list[Proof]:
    with console.status("Starting") as status:
        return [
            _prove_one(attack, f"[{number}/{len(chosen)}]", store, console, status)
            for number, attack in enumerate(chosen, start=1)
        ]


def _prove_one(attack: Attack, counter: str, store: str | None, console: Console, status: Status) -> Proof:
    proof = prove(attack, store, lambda text: status.update(escape(f"{counter} {text}")))
    console.print(
        counter,
        attack.name,
        f"without {attack.defense}: {proof.undefended.text};",
        f"with it: {proof.defended.text};",
        judge(proof),
        f"({proof.seconds:.1f} s)",
        markup=False,
        highlight=False,
    )
    return proof


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m attacks",
        description="Attack the demo on this machine, with each defense taken away and with it in place.",
    )
    names = [attack.name for attack in ATTACKS]
    parser.add_argument(
        "--only", metavar="NAME", action="extend", nargs="+", type=str.upper, choices=names, help="run these alone"
    )
    parser.add_argument("--list", action="store_true", help="show the attacks and their criteria, and run nothing")
    parser.add_argument("--markdown", action="store_true", help="print the README's table of attacks, and run nothing")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the proofs there, too")
    parser.add_argument(
        "--store",
        metavar="URL",
        help="the store that the guarded demo counts in, instead of a file; 'redis' starts one for each attack",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
