"""The same commands as ``authguard``, as ``python -m authguard.cli``."""

import sys

from authguard.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
