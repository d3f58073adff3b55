"""arbiterd: electronic boards in, rulings for the arbiter out."""

__version__ = "1.0.0"
