"""Texts in English."""
