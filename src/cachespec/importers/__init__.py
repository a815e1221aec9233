"""Layouts from a model's config.json, for the runtimes transformers and eredu."""
