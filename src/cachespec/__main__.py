"""`python -m cachespec`."""

import sys

from cachespec.cli import main

sys.exit(main())
