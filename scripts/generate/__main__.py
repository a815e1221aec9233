"""`python scripts/generate` makes generated/ and the made pages of docs/; with --check, it lists what is stale."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # Of a folder that it runs, Python puts the folder itself on the path; the package is found from the one above.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

    from generate.command import main

    sys.exit(main())
