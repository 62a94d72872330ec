"""Defenses: the one table of what can be taken away, and of the naive piece that then stands in.

Another defense is another file in ``demo_app/naive/`` and another row here; it needs an attack that proves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from demo_app.gate import Removal
from demo_app.naive.account_and_address import count_two_things
from demo_app.naive.account_clearing import clear_account
from demo_app.naive.address_key import key_on_pair
from demo_app.naive.alarm import challenge_everybody, count_tries
from demo_app.naive.all_codes import keep_all_codes
from demo_app.naive.any_browser import take_any_browser
from demo_app.naive.any_identity import take_any_identity
from demo_app.naive.any_monitor import exempt_whoever_seems
from demo_app.naive.any_purpose import take_any_purpose
from demo_app.naive.any_server import WARN, take_any_server
from demo_app.naive.blank_key import key_on_slug
from demo_app.naive.burnt_link import burn_links
from demo_app.naive.challenge_tries import count_by_challenge
from demo_app.naive.clearing import clear_address
from demo_app.naive.closing_book import CLOSING
from demo_app.naive.dummy import use_known_dummy
from demo_app.naive.early_place import take_place_early
from demo_app.naive.endless_tries import never_burn
from demo_app.naive.extending import extend_block
from demo_app.naive.forwarded import trust_first_hop
from demo_app.naive.fresh_memory import forget_outages
from demo_app.naive.hand_book import BY_HAND, keep_book
from demo_app.naive.hoping import hope_for_redis
from demo_app.naive.hourly_book import HOURLY
from demo_app.naive.joined_secrets import join_by_secret
from demo_app.naive.late_book import LATE
from demo_app.naive.late_count import count_late
from demo_app.naive.loaded_once import load_script_once
from demo_app.naive.lost_writes import log_lost_writes
from demo_app.naive.lru import count_in_cache
from demo_app.naive.memory import count_in_memory
from demo_app.naive.name_quota import refuse_offices
from demo_app.naive.one_block import block_once
from demo_app.naive.opened_link import use_links_up_at_sight
from demo_app.naive.optional_address import count_if_found
from demo_app.naive.own_clock import go_by_own_clock
from demo_app.naive.parsed_code import parse_codes
from demo_app.naive.planted_browser import know_planted_browsers
from demo_app.naive.raw_key import key_on_raw_text
from demo_app.naive.renewed_tries import renew_tries
from demo_app.naive.resealed import seal_anew
from demo_app.naive.reusable import reuse
from demo_app.naive.route import guard_one_route
from demo_app.naive.session_code import keep_code_in_session
from demo_app.naive.session_wait import wait_in_session
from demo_app.naive.single_address import count_single_addresses
from demo_app.naive.single_charge import charge_every_attempt
from demo_app.naive.spelled_place import rely_on_index
from demo_app.naive.spelled_token import count_by_spelling
from demo_app.naive.sure_delivery import SURE
from demo_app.naive.telling_cap import COUNTING, tell_spent_cap
from demo_app.naive.tenant_key import key_on_host
from demo_app.naive.trusted_cookie import trust_any_cookie
from demo_app.naive.typed_address import send_to_typed
from demo_app.naive.unbounded import LENGTHS, hash_any_length
from demo_app.naive.uncapped import send_without_end
from demo_app.naive.unresolved import key_on_name
from demo_app.naive.used_late import use_up_late
from demo_app.naive.waiting import wait_for_account, wait_for_flow, wait_for_name
from demo_app.naive.window import count_in_fixed_windows
from demo_app.naive.zeroless import draw_without_zeros


class Part(Enum):
    """Which part of the demo a naive piece replaces; two pieces can't replace one part at once."""

    COUNTER = "the counting of attempts"
    KEY = "the key that attempts are counted under"
    ADDRESS = "the client's address"
    REACH = "the routes that are guarded"
    PASSWORDS = "the check of passwords"
    SIGN_UP = "the places of new accounts"
    ALLOW_LIST = "the allow-list of clients"
    START = "the check of the store at start"
    CODES = "the codes that are sent and checked"
    MONEY = "the ledger of what is spent on messages"


@dataclass(frozen=True, slots=True)
class Defense:
    """A defense that can be taken away: its name, the naive mistake that then stands in, and where.

    ``settings`` is what the mistake does to the application's configuration, before there is a guard.
    """

    name: str
    naive: str
    part: Part
    remove: Removal
    settings: Mapping[str, object] = field(default_factory=dict)


DEFENSES = (
    Defense("spelling", "each spelling of an identifier is counted by itself", Part.KEY, key_on_raw_text),
    Defense("blank-check", "identifiers without a Latin letter share one counter", Part.KEY, key_on_slug),
    Defense("resolver", "each name of an account has a budget of its own", Part.KEY, key_on_name),
    Defense("shared-cap", "each tenant, as the client names it, has waits of its own", Part.CODES, key_on_host),
    Defense("account-layer", "accounts are counted per client address only", Part.KEY, key_on_pair),
    Defense("proxy-chain", "the left-most X-Forwarded-For entry is believed", Part.ADDRESS, trust_first_hop),
    Defense("networks", "each IPv6 address is counted by itself", Part.COUNTER, count_single_addresses),
    Defense("strict-header", "no address is counted where the header names none", Part.COUNTER, count_if_found),
    Defense(
        "certain-address", "a proxy’s address is looked up in the allow-list too", Part.ALLOW_LIST, exempt_whoever_seems
    ),
    Defense("charge-first", "failures are counted after the password check", Part.COUNTER, count_late),
    Defense("sliding-log", "windows start on the clock and begin empty", Part.COUNTER, count_in_fixed_windows),
    Defense("rearming", "only the failure that reaches the limit blocks", Part.COUNTER, block_once),
    Defense("joining", "every attempt under way is a charge of its own", Part.COUNTER, charge_every_attempt),
    Defense("kept-failures", "a success clears the address's failures", Part.COUNTER, clear_address),
    Defense("quiet-denial", "a refused try extends the block", Part.COUNTER, extend_block),
    Defense("own-failures", "a success clears the account’s failures, whoever’s", Part.COUNTER, clear_account),
    Defense("bounded-attempts", "tries with the right password are not counted", Part.COUNTER, count_two_things),
    Defense("known-devices", "a blocked account is blocked for its owner too", Part.COUNTER, count_two_things),
    Defense("device-lane", "whoever brings a device cookie is not counted", Part.COUNTER, trust_any_cookie),
    Defense("fresh-device", "a login makes the browser’s id known as it came", Part.COUNTER, know_planted_browsers),
    Defense("step-up", "an address with three failing names is refused", Part.COUNTER, refuse_offices),
    Defense("quiet-alarm", "while much fails, everybody is challenged", Part.COUNTER, challenge_everybody),
    Defense("counted-accounts", "the alarm goes by the share of tries that fail", Part.COUNTER, count_tries),
    Defense("same-password", "failures an account and an address are all that counts", Part.COUNTER, count_two_things),
    Defense("account-joining", "one client’s equal guesses are one, on all accounts", Part.COUNTER, join_by_secret),
    Defense("mailbox-place", "one account for each spelling of a mailbox", Part.SIGN_UP, rely_on_index),
    Defense("late-place", "asking for an account takes its place", Part.SIGN_UP, take_place_early),
    Defense("shared-store", "each worker counts in its own memory", Part.COUNTER, count_in_memory),
    Defense("kept-counters", "counters make room for others in a cache", Part.COUNTER, count_in_cache),
    Defense("deadline", "Redis is waited for, and without it everybody passes", Part.COUNTER, hope_for_redis),
    Defense("refused-writes", "a count that can’t be written is logged, no more", Part.COUNTER, log_lost_writes),
    Defense("script-reload", "a script that Redis has lost lets everybody pass", Part.COUNTER, load_script_once),
    Defense("store-check", "a Redis that drops counters is taken as it is", Part.START, take_any_server, WARN),
    Defense("kept-fallback", "what an outage’s guesses counted is forgotten after it", Part.COUNTER, forget_outages),
    Defense("verifier", "only POST /login is guarded, not the password check", Part.REACH, guard_one_route),
    Defense("random-dummy", "unknown accounts get a dummy hash of a known password", Part.PASSWORDS, use_known_dummy),
    Defense("lengths", "bodies and passwords of any length are hashed", Part.PASSWORDS, hash_any_length, LENGTHS),
    Defense("single-use", "a right code is used up once the answer is ready", Part.CODES, use_up_late),
    Defense("used-codes", "a code is good until it is too old", Part.CODES, reuse),
    Defense("kept-tries", "another message brings as many tries as the first", Part.CODES, renew_tries),
    Defense("guess-budget", "guesses are counted for each challenge alone", Part.CODES, count_by_challenge),
    Defense("newest-only", "the codes of all messages stay good", Part.CODES, keep_all_codes),
    Defense("even-codes", "codes are six digits that begin with 1 to 9", Part.CODES, draw_without_zeros),
    Defense("store-clock", "a code’s age goes by the clock of whoever looks", Part.CODES, go_by_own_clock),
    Defense("retired-keys", "a rotation forgets no key, and makes old tokens new", Part.CODES, seal_anew),
    Defense("purpose-binding", "every flow takes the codes of every other", Part.CODES, take_any_purpose),
    Defense("identity-binding", "whose code it is says the form", Part.CODES, take_any_identity),
    Defense("strict-digits", "codes are compared as numbers", Part.CODES, parse_codes),
    Defense("browser-binding", "a code is good in any browser", Part.CODES, take_any_browser),
    Defense("burning", "nobody counts guesses at a challenge", Part.CODES, never_burn),
    Defense("token-spelling", "each spelling of a token has tries of its own", Part.CODES, count_by_spelling),
    Defense("link-button", "opening a link uses it up", Part.CODES, use_links_up_at_sight),
    Defense("unburnt-link", "wrong codes burn the link as well", Part.CODES, burn_links),
    Defense("charged-ladder", "requests at the same moment all find no message yet", Part.CODES, wait_for_account),
    Defense("known-ladder", "known devices wait for what strangers asked for", Part.CODES, wait_for_account),
    Defense("quiet-names", "what one name was asked for is told under the other", Part.CODES, wait_for_account),
    Defense("quiet-success", "a login lets strangers ask again, at once", Part.CODES, wait_for_account),
    Defense("phone-spelling", "each spelling of a number waits for itself", Part.CODES, wait_for_name),
    Defense("shared-ladder", "each flow waits for itself", Part.CODES, wait_for_flow),
    Defense("destination-ladder", "the wait between codes is kept in the session", Part.CODES, wait_in_session),
    Defense("no-clear-codes", "the code is kept in the session cookie", Part.CODES, keep_code_in_session),
    Defense("stored-address", "messages go to the address as it was typed", Part.CODES, send_to_typed),
    Defense("blind-cap", "what stops a message shows where there is an account", Part.CODES, tell_spent_cap, COUNTING),
    Defense("spending-cap", "nobody adds up what messages cost", Part.CODES, send_without_end),
    Defense("regions", "messages go to any region and any kind of number", Part.CODES, send_without_end),
    Defense("range-cap", "numbers in sequence get one message after another", Part.CODES, send_without_end),
    Defense("rolling-caps", "a cap's hour starts on the clock", Part.MONEY, keep_book, HOURLY),
    Defense("idempotency", "a message that is asked for again is one more message", Part.MONEY, keep_book, BY_HAND),
    Defense("known-share", "whoever asks first gets all that there is", Part.MONEY, keep_book, BY_HAND),
    Defense("known-lane", "what closes a country closes it to everybody", Part.MONEY, keep_book, CLOSING),
    Defense("expiring-hold", "what a killed worker put aside stays so for ever", Part.MONEY, keep_book, BY_HAND),
    Defense("unknown-is-spent", "a provider that doesn’t answer has sent nothing", Part.MONEY, keep_book, SURE),
    Defense("spent-first", "a message is spent once the provider has taken it", Part.MONEY, keep_book, LATE),
)
"""Every defense, in the order in which the pieces are put in place."""


def select(names: Iterable[str]) -> tuple[Defense, ...]:
    """Return the defenses called ``names``, in the table's order.

    Raises ``ValueError`` with a sentence for a name that isn't there and for two that replace the same part.
    """
    wanted = set(names)
    if unknown := sorted(wanted - {defense.name for defense in DEFENSES}):
        raise ValueError(f"there is no defense called {unknown[0]!r}")
    chosen = tuple(defense for defense in DEFENSES if defense.name in wanted)
    taken: dict[Part, str] = {}
    for defense in chosen:
        if defense.part in taken:
            other = taken[defense.part]
            raise ValueError(f"{other} and {defense.name} both replace {defense.part.value}; take one away at a time")
        taken[defense.part] = defense.name
    return chosen
