"""arbiterd: electronic boards in, rulings for the arbiter out."""

__version__ = "0.1.0"
