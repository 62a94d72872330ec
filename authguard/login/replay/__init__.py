"""Replay: what a policy would have done to the logins in a log, told by the guard itself on the log's own clock."""
