"""Old tournament computers that report finished moves only, over a serial line."""
