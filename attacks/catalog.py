"""Catalog: every attack there is, in the order in which they run.

Another attack is another file beside this one and another row here; its defense is a row of the demo's table.
"""

from __future__ import annotations

from attacks.f3_workers import WORKERS
from attacks.h2_other_ways import OTHER_WAYS
from attacks.h7_dummy import DUMMY
from attacks.i1_rotated_header import ROTATED_HEADER
from attacks.i2_forged_victim import FORGED_VICTIM
from attacks.i5_botnet import BOTNET
from attacks.l5_own_success import OWN_SUCCESS
from attacks.l6_knocking import KNOCKING
from attacks.n1_spellings import SPELLINGS
from attacks.n6_blank import BLANK
from attacks.x1_parallel import PARALLEL
from attacks.x4_window_edge import WINDOW_EDGE
from attacks.x6_valid_logins import VALID_LOGINS

ATTACKS = (
    SPELLINGS,
    BLANK,
    ROTATED_HEADER,
    FORGED_VICTIM,
    BOTNET,
    PARALLEL,
    WINDOW_EDGE,
    VALID_LOGINS,
    OWN_SUCCESS,
    KNOCKING,
    WORKERS,
    OTHER_WAYS,
    DUMMY,
)
