"""`python -m cachespec`."""

from cachespec.cli import script

script()
