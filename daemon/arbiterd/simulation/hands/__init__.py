"""What hands do at a simulated table: moves, breaches of the Laws, accidents, unrest."""
