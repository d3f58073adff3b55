"""The open text protocol of home-made boards (Chess Peripheral Protocol), over a serial line."""
