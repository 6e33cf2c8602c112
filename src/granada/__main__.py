"""`python -m granada` is the command `granada`."""

import sys

from granada.cli import main

if __name__ == "__main__":
    sys.exit(main())
