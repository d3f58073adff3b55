"""Readers of what the journal holds, each with its own cursor; none knows another."""
