"""What the eredu engine keeps."""
