"""Tag families: less work for the same tags."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from authguard.identity import Pseudonymizer, frame_part

HIDE = Pseudonymizer(b"s" * 32, app="shop", previous=[b"o" * 32])
PARTS = st.lists(st.text(max_size=6), max_size=3)


@given(
    kind=st.text(max_size=5), first=PARTS, rest=PARTS, tenant=st.none() | st.text(max_size=3), size=st.integers(1, 32)
)
def test_a_familys_tags_are_those_of_all_its_parts(
    kind: str, first: list[str], rest: list[str], tenant: str | None, size: int
) -> None:
    family = HIDE.family(kind, *first, size=size)
    whole = HIDE.family(kind, size=size).tags([*first, *rest], tenant)
    assert family.tags(rest, tenant) == whole
    assert family.tag(rest, tenant) == whole[0]
    assert tenant is not None or family.tags_of(b"".join(map(frame_part, rest))) == whole
    assert family.tags(rest, tenant) == whole, "making one tag must not change the next"
