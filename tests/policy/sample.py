"""A policy file that uses every table and most keys."""

SAMPLE = """
[policies.login]
hold = "1m30s"
fail_mode = "closed"
kinds = ["email", "username"]

[policies.login.layers.account]
limit = "10/15m"

[policies.login.layers.site]
remove = true

[policies.search]
sensitive = false
unidentified = "10/1m"

[policies.search.layers.user]
scope = ["user"]
limit = "60/1m"
algorithm = "gcra"
burst = 20
cost = 5

[policies.search.layers.words]
scope = "ip"
distinct = "user"
limit = "3/1h"
mode = "shadow"

[identity]
default_region = "bd"

[identity.email]
free_mail = ["example.org"]

[identity.email.providers.example]
domains = ["example.com", "example.net"]
canonical = "example.com"
drop = "."

[proxies]
trust = "nginx"
"""
