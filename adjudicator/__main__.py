"""``python -m adjudicator`` is the command ``gm``."""

from adjudicator.gm.app import main

if __name__ == "__main__":
    main()
