"""What benchmarks share, or run in a process of its own."""
