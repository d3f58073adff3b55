"""Time controls, the clock model, presses and flags. Pure; times in nanoseconds come in."""
