"""``python -m deixis``: the same as the ``deixis`` command."""

from deixis.cli.app import main

if __name__ == "__main__":
    main()
