"""The Flask extension: reads the request, drives the guard, writes the answer; nothing else."""

from authguard.flask.denial import Denied
from authguard.flask.extension import AuthGuard
from authguard.flask.fields import read_fields
from authguard.flask.messages import Messages

__all__ = ["AuthGuard", "Denied", "Messages", "read_fields"]
