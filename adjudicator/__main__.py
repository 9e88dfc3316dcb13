"""``python -m adjudicator`` is the command ``gm``."""

from adjudicator.cli.app import main

if __name__ == "__main__":
    main()
