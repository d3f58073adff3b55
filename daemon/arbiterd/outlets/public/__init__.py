"""The public side: what the delay gate lets through, numbered anew."""
