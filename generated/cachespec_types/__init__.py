# Made by scripts/generate from schema/. Do not edit.
"""The generated models and the published schema files; users import them from `cachespec`."""

SCHEMA_VERSION = "1.0.0"
