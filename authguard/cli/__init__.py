"""Commands: what an operator runs in a terminal, one file a command; none needs the application or the framework."""
