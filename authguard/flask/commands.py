"""Commands: ``flask authguard …``, for questions about one application's set-up."""

from __future__ import annotations

import click
from flask import current_app
from flask.cli import AppGroup

from authguard.flask.state import state_of
from authguard.identity import explain_address

commands = AppGroup("authguard", help="Ask about this application's abuse defense.")


@commands.command("whoami")
@click.option("--peer", default="127.0.0.1", show_default=True, help="Address that the connection comes from.")
@click.option(
    "--header", "headers", multiple=True, help="A header of the request, such as 'X-Forwarded-For: 192.0.2.1'."
)
def whoami(peer: str, headers: tuple[str, ...]) -> None:
    """Say which client address a request would be counted under, and why, hop by hop."""
    pairs = []
    for header in headers:
        name, colon, value = header.partition(":")
        if not colon:
            raise click.BadParameter("write it as 'Name: value'", param_hint="--header")
        pairs.append((name.strip(), value.strip()))
    trust = state_of(current_app).config.trust
    reads = "no header" if trust.mode.value == "none" else trust.header
    click.echo(f"trust: {trust.mode.value}, reads {reads}")
    for line in explain_address(peer, pairs, trust).lines():
        click.echo(line)
