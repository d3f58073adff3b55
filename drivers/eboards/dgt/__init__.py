"""DGT boards: one board on a wire of its own, and the clock plugged into it."""
