"""The rules of cribbage: pure values and functions, cited by rule number (docs/rules.md)."""
