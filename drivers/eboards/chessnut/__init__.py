"""Chessnut boards, over USB HID."""
