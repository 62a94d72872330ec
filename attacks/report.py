"""Report: the proofs as a table for people, and as JSON for scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from attacks.attack import Attack
from attacks.runner import Proof


def tabulate(proofs: Sequence[Proof]) -> Table:
    """Return a row for each proof."""
    table = Table(title="Attacks, without the defense and with it", title_justify="left", show_lines=True)
    for column in ("attack", "defense", "without it", "with it", "verdict"):
        table.add_column(column, overflow="fold")
    for proof in proofs:
        table.add_row(
            f"{proof.attack.name} {proof.attack.title}",
            proof.attack.defense,
            proof.undefended.text,
            proof.defended.text,
            judge(proof),
        )
    return table


def judge(proof: Proof) -> Text:
    """Return the verdict, and which direction failed."""
    if proof.proven:
        return Text("proven", "green")
    if proof.left_out:
        return Text("LEFT OUT", "bold yellow")
    criterion = proof.attack.criterion
    if proof.undefended.count is None or proof.defended.count is None:
        return Text("NOT CARRIED OUT", "bold red")
    if not criterion.is_won(proof.undefended.count):
        return Text(f"BROKEN PROOF: wins from {criterion.wins}", "bold red")
    return Text(f"NOT DEFENDED: loses at {_lost(proof.attack)}", "bold red")


def catalog_table(attacks: Sequence[Attack]) -> Table:
    """Return what can be run, and when each attack has won and lost."""
    table = Table(title="Attacks", title_justify="left")
    for column in ("attack", "defense", "counts", "won without it from", "lost with it at"):
        table.add_column(column, overflow="fold")
    for attack in attacks:
        wins = str(attack.criterion.wins)
        table.add_row(f"{attack.name} {attack.title}", attack.defense, attack.criterion.unit, wins, _lost(attack))
    return table


def markdown(attacks: Sequence[Attack]) -> str:
    """Return what can be run as the table that the README shows between its markers."""
    rows = [
        f"| {attack.name} {attack.title} | {attack.criterion.unit}: {attack.criterion.wins} or more | {_lost(attack)} "
        f"| `python -m attacks --only {attack.name}` |"
        for attack in attacks
    ]
    return "\n".join(("| attack | without the defense | with it | try it |", "|---|---|---|---|", *rows)) + "\n"


def _lost(attack: Attack) -> str:
    low, high = attack.criterion.loses
    return str(low) if low == high else f"{low} to {high}"


def document(proofs: Sequence[Proof]) -> dict[str, Any]:
    """Return the proofs as JSON values."""
    return {
        "attacks": [
            {
                "name": proof.attack.name,
                "defense": proof.attack.defense,
                "undefended": proof.undefended.text,
                "defended": proof.defended.text,
                "proven": proof.proven,
            }
            for proof in proofs
        ]
    }
