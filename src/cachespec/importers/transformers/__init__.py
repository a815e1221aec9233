"""What transformers 5.24 caches, one file for each family of models."""
