"""External programs as players: the engine protocol, both sides of it (docs/engine.md)."""
