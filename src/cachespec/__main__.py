"""`python -m cachespec`, and the program `cachespec`."""

import os


def program() -> None:
    """Runs one command and ends the process; to be interrupted while it still loads is one line as well."""
    try:
        from cachespec.cli import script
    except KeyboardInterrupt:
        os.write(2, b"cachespec: interrupted\n")
        os._exit(130)
    script()


# Processes that are started anew import this module under another name.
if __name__ == "__main__":
    program()
