"""What cribbage is: pure values and functions, cited by rule number (docs/rules.md)."""
