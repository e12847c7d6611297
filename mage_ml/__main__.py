"""`python -m mage_ml` is the command line."""

from mage_ml.cli.main import main

if __name__ == "__main__":
    main()
