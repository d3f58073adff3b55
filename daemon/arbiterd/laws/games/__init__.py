"""What one game adds to the Laws, and no other has."""
