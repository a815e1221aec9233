"""What follows from a valid policy: models, components, order, bytes, words."""
