"""What the file says beyond policies: identifiers and proxies."""

from __future__ import annotations

from pathlib import Path

import pytest

from authguard.errors import ConfigurationError
from authguard.identity import EmailRules, ProxyTrust, email_key
from authguard.limits import Limit
from authguard.policy import PRESETS, IdentitySettings, Settings, load_settings
from authguard.policy.settings import merge_settings
from authguard.policy.toml import parse_text
from tests.policy.sample import SAMPLE


def settings(text: str) -> Settings:
    """Return what ``text`` says."""
    return merge_settings(parse_text(text, "f"), "f")


def test_nothing_said_is_what_is_shipped() -> None:
    assert (
        load_settings() == settings("") == Settings(dict(PRESETS), IdentitySettings(None, EmailRules.default()), None)
    )


def test_every_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "authguard.toml"
    path.write_text(SAMPLE)
    said = load_settings(path)
    assert said.proxies == ProxyTrust.parse("nginx")
    assert said.identity.default_region == "BD"
    assert email_key("j.o.e+x@example.net", said.identity.email_rules) == "joe@example.com"
    assert said.identity.email_rules.is_shared("example.org")
    assert said.policies["search"].unidentified == Limit.parse("10/1m")


def test_the_region_of_the_application_is_every_policy_s_own_unless_it_has_one() -> None:
    said = settings('[identity]\ndefault_region = "BD"\n[policies.signup]\ndefault_region = "gb"')
    regions = {name: policy.default_region for name, policy in said.policies.items()}
    assert regions.pop("signup") == "GB"
    assert set(regions.values()) == {"BD"}


def test_proxies_may_be_spelled_out() -> None:
    said = settings('[proxies]\nmode = "cidr"\ntrusted = ["10.0.0.0/8"]\nn = 2')
    assert said.proxies == ProxyTrust.cidr(["10.0.0.0/8"], 2)


def test_a_provider_may_swap_a_character() -> None:
    said = settings('[identity.email.providers.x]\ndomains = ["example.com"]\nswap = ["-", "."]')
    assert email_key("a-b@example.com", said.identity.email_rules) == "a.b@example.com"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[identity]\nregion = 'BD'", "region in [identity] is not known; use default_region, email"),
        (
            "[identity]\ndefault_region = 'Bangladesh'",
            "default_region in [identity] is wrong: 'Bangladesh' is no phone",
        ),
        ("[identity.email]\ncut = '+'", "cut in [identity.email] is not known; use cut_at,"),
        ("[identity.email]\ncut_at = 'a'", "[identity.email] can't work: an e-mail separator must be punctuation"),
        ("[identity.email]\nrelays = ['no domain']", "[identity.email] can't work: 'no domain' is no mail domain"),
        ("[identity.email.providers.x]\ndrop = '.'", "domains in [identity.email.providers.x] is missing"),
        (
            "[identity.email.providers.x]\ndomains = ['a.b']\ncanonical = 'c.d'",
            "[identity.email.providers.x] can't work: the canonical domain",
        ),
        (
            "[identity.email.providers.x]\ndomains = ['a.b']\nswap = ['-']",
            "swap in [identity.email.providers.x] must be",
        ),
        ("[proxies]\ntrust = 'apache'", "trust in [proxies] can't work: proxy preset 'apache' is unknown"),
        ("[proxies]\ntrust = 'nginx'\nn = 1", "n in [proxies] is not known; use trust alone"),
        ("[proxies]\nmode = 'cidr'\ntrusted = ['0.0.0.0/0']", "[proxies] can't work: trusting '0.0.0.0/0'"),
        ("[proxies]\nmode = true", "[proxies] can't work: proxy mode True is unknown"),
    ],
)
def test_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        settings(text)
    assert str(caught.value).startswith(f"f: {sentence}")
