"""Millennium ChessLink boards, over a serial line."""
