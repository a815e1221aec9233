"""The commands, one file each: its arguments and its run."""
