"""Electronic boards and clocks: bytes in, events out.

`events` is what any device can say, `codec` what every driver fulfils, one folder a family
holds its codec and its emulator, `transport` is the only room with file descriptors, and
`discovery` says what is plugged in. Usable alone: nothing here knows a rule of a game.
"""
