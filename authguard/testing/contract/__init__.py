"""The contract of stores, as tests: what every store passes, on the real thing.

A test class inherits the suites that apply to its store and gives them their fixtures::

    class TestMyStore(StoreContract, SharedStoreContract):
        @pytest.fixture
        def tested(self) -> Iterator[StoreUnderTest]: ...

``StoreContract`` needs ``tested``, an empty store. ``SharedStoreContract`` is for stores that processes share, and
needs ``tested`` with ``elsewhere``. ``BoundedStoreContract`` needs ``cramped``, a store with room for little.
"""

from authguard.testing.contract.all_or_none import AllOrNone
from authguard.testing.contract.bounds import Bounds as BoundedStoreContract
from authguard.testing.contract.clocks import Clocks
from authguard.testing.contract.guesses import Guesses
from authguard.testing.contract.numbers import Numbers
from authguard.testing.contract.processes import Processes as SharedStoreContract
from authguard.testing.contract.races import Races
from authguard.testing.contract.rotation import Rotation
from authguard.testing.contract.settling import Settling
from authguard.testing.contract.spending import Spending

__all__ = ["BoundedStoreContract", "SharedStoreContract", "StoreContract"]


class StoreContract(AllOrNone, Settling, Guesses, Clocks, Rotation, Numbers, Races, Spending):
    """What every store promises."""
