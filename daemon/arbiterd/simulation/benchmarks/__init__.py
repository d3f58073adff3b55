"""Benchmarks: many games told to what is measured, and what came of it counted."""
