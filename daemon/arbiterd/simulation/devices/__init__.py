"""What a simulated table's board and clock make of it, as values and over a wire."""
