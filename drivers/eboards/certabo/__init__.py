"""Certabo and Tabutronic boards, over a serial line: tag numbers, or only what is occupied."""
