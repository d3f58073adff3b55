"""Textos en español."""
