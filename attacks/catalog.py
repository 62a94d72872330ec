"""Catalog: every attack there is, family by family in the order of their numbers, which is how they run.

Another attack is another file beside this one and another row here; its defense is a row of the demo's table.
"""

from __future__ import annotations

from attacks.b1_spray import SPRAY
from attacks.b2_diluted import DILUTED
from attacks.b8_joined import JOINED
from attacks.e6_linked_names import LINKED_NAMES
from attacks.e7_polled_limit import POLLED_LIMIT
from attacks.e8_spent_cap import SPENT_CAP
from attacks.f1_gone_store import GONE_STORE
from attacks.f2_failover import FAILOVER
from attacks.f3_workers import WORKERS
from attacks.f4_flood import FLOOD
from attacks.f5_script_flush import SCRIPT_FLUSH
from attacks.f6_eviction import EVICTION
from attacks.f7_stalls import STALLED
from attacks.h2_other_ways import OTHER_WAYS
from attacks.h4_long import LONG
from attacks.h7_dummy import DUMMY
from attacks.i1_rotated_header import ROTATED_HEADER
from attacks.i2_forged_victim import FORGED_VICTIM
from attacks.i3_ipv6 import IPV6_ROTATION
from attacks.i4_broken_header import BROKEN_HEADER
from attacks.i5_botnet import BOTNET
from attacks.i6_degraded import DEGRADED
from attacks.l1_locked_owner import LOCKED_OWNER
from attacks.l2_climbed_ladder import CLIMBED_LADDER
from attacks.l3_cookie import COOKIE
from attacks.l4_forced_challenge import FORCED_CHALLENGE
from attacks.l5_own_success import OWN_SUCCESS
from attacks.l6_knocking import KNOCKING
from attacks.l7_fresh_owner import FRESH_OWNER
from attacks.l8_office import OFFICE_CLOSED
from attacks.l9_taken_place import TAKEN_PLACE
from attacks.l10_planted import PLANTED
from attacks.n1_spellings import SPELLINGS
from attacks.n2_two_names import TWO_NAMES
from attacks.n3_tags import TAGS
from attacks.n4_phone_spellings import PHONE_SPELLINGS
from attacks.n5_homoglyph import HOMOGLYPH
from attacks.n6_blank import BLANK
from attacks.n7_alias import ALIAS_SUCCESS
from attacks.n8_tenants import TENANT_HOPPING
from attacks.o1_resend import RESEND
from attacks.o2_new_challenge import NEW_CHALLENGE
from attacks.o3_code_again import CODE_AGAIN
from attacks.o4_old_code import OLD_CODE
from attacks.o5_other_flow import OTHER_FLOW
from attacks.o6_others_code import OTHERS_CODE
from attacks.o7_odd_digits import ODD_DIGITS
from attacks.o8_bias import BIAS
from attacks.o9_readable import READABLE
from attacks.o10_fresh_browsers import FRESH_BROWSERS
from attacks.s1_many_numbers import MANY_NUMBERS
from attacks.s2_straddled_hour import STRADDLED_HOUR
from attacks.s3_regions import REGIONS
from attacks.s4_range import RANGE
from attacks.s5_killed_before import KILLED_BEFORE
from attacks.s6_no_answer import NO_ANSWER
from attacks.s7_retried import RETRIED
from attacks.s8_flows import FLOWS
from attacks.s9_used_up import USED_UP
from attacks.s10_closed_country import CLOSED_COUNTRY
from attacks.s11_killed_during import KILLED_DURING
from attacks.t1_respelled import RESPELLED
from attacks.t2_other_browser import OTHER_BROWSER
from attacks.t3_clocks import CLOCKS
from attacks.t4_retired_keys import RETIRED_KEYS
from attacks.t5_scanner import SCANNER
from attacks.t6_endless import ENDLESS
from attacks.x1_parallel import PARALLEL
from attacks.x2_one_code import ONE_CODE
from attacks.x3_parallel_sends import PARALLEL_SENDS
from attacks.x4_window_edge import WINDOW_EDGE
from attacks.x5_after_block import AFTER_BLOCK
from attacks.x6_valid_logins import VALID_LOGINS
from attacks.x7_second_factor import SECOND_FACTOR
from attacks.x8_owner_between import OWNER_BETWEEN
from attacks.x9_own_hashes import OWN_HASHES

ATTACKS = (
    SPELLINGS,
    TWO_NAMES,
    TAGS,
    PHONE_SPELLINGS,
    HOMOGLYPH,
    BLANK,
    ALIAS_SUCCESS,
    TENANT_HOPPING,
    ROTATED_HEADER,
    FORGED_VICTIM,
    IPV6_ROTATION,
    BROKEN_HEADER,
    BOTNET,
    DEGRADED,
    PARALLEL,
    ONE_CODE,
    PARALLEL_SENDS,
    WINDOW_EDGE,
    AFTER_BLOCK,
    VALID_LOGINS,
    SECOND_FACTOR,
    OWNER_BETWEEN,
    OWN_HASHES,
    RESEND,
    NEW_CHALLENGE,
    CODE_AGAIN,
    OLD_CODE,
    OTHER_FLOW,
    OTHERS_CODE,
    ODD_DIGITS,
    BIAS,
    READABLE,
    FRESH_BROWSERS,
    RESPELLED,
    OTHER_BROWSER,
    CLOCKS,
    RETIRED_KEYS,
    SCANNER,
    ENDLESS,
    LINKED_NAMES,
    POLLED_LIMIT,
    SPENT_CAP,
    LOCKED_OWNER,
    CLIMBED_LADDER,
    COOKIE,
    FORCED_CHALLENGE,
    OWN_SUCCESS,
    KNOCKING,
    FRESH_OWNER,
    OFFICE_CLOSED,
    TAKEN_PLACE,
    PLANTED,
    MANY_NUMBERS,
    STRADDLED_HOUR,
    REGIONS,
    RANGE,
    KILLED_BEFORE,
    NO_ANSWER,
    RETRIED,
    FLOWS,
    USED_UP,
    CLOSED_COUNTRY,
    KILLED_DURING,
    SPRAY,
    DILUTED,
    JOINED,
    GONE_STORE,
    FAILOVER,
    WORKERS,
    FLOOD,
    SCRIPT_FLUSH,
    EVICTION,
    STALLED,
    OTHER_WAYS,
    LONG,
    DUMMY,
)
"""Families: N names, I addresses, X races and edges, O codes, T tokens, E telling who is there, L lock-outs,
S spending, B bots, F faults, H HTTP."""
