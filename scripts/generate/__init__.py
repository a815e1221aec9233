"""What makes generated/ and the made pages of docs/: one module for each thing that is made."""
