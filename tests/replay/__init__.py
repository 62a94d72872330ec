"""The replay: it reads every format, plays as the guard decides, and its numbers are those that the page tells."""
