"""Fuzzing: `./test --fuzz TARGET SECONDS`, and a short slice of each target in every run."""
