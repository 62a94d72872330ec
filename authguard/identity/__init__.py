"""Identity: who is being counted, as keys that one person can't have many of and two people don't share."""

from authguard.identity.address import AddressKeys, address_keys, network_keys
from authguard.identity.client import AddressStatus, ClientAddress, client_address, locate_client
from authguard.identity.destination import (
    DEFAULT_SEND_RULES,
    PhoneType,
    SendRules,
    SendVerdict,
    may_send,
    phone_type,
)
from authguard.identity.email import email_key
from authguard.identity.email_rules import EmailRules, ProviderRule
from authguard.identity.environ import forwarding_headers, forwarding_lines, original_peer
from authguard.identity.explain import AddressExplanation, AddressStep, explain_address
from authguard.identity.identifier import Identifier, IdentifierKind, Resolver, identifier_key
from authguard.identity.mail_domains import EmailClass, check_suffix_list, domain_key, email_class
from authguard.identity.phone import PhoneNumber, check_region, phone_key, phone_number
from authguard.identity.proxies import ProxyTrust, TrustMode
from authguard.identity.pseudonym import Pseudonymizer, TagFamily, derive_secret, frame_part
from authguard.identity.username import username_key
from authguard.identity.watch import Misfit, TrustWatch

__all__ = [
    "DEFAULT_SEND_RULES",
    "AddressExplanation",
    "AddressKeys",
    "AddressStatus",
    "AddressStep",
    "ClientAddress",
    "EmailClass",
    "EmailRules",
    "Identifier",
    "IdentifierKind",
    "Misfit",
    "PhoneNumber",
    "PhoneType",
    "ProviderRule",
    "ProxyTrust",
    "Pseudonymizer",
    "Resolver",
    "SendRules",
    "SendVerdict",
    "TagFamily",
    "TrustMode",
    "TrustWatch",
    "address_keys",
    "check_region",
    "check_suffix_list",
    "client_address",
    "derive_secret",
    "domain_key",
    "email_class",
    "email_key",
    "explain_address",
    "forwarding_headers",
    "forwarding_lines",
    "frame_part",
    "identifier_key",
    "locate_client",
    "may_send",
    "network_keys",
    "original_peer",
    "phone_key",
    "phone_number",
    "phone_type",
    "username_key",
]
