"""External programs as players: both sides of the engine protocol (docs/engine.md)."""
