"""`python -m fifteentwo` is the command `fifteentwo`."""

from fifteentwo.cli import main

main()
