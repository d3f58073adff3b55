"""Devices on their lines: found, opened, read, checked, and which table each serves."""
