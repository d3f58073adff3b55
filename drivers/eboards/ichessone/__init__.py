"""iChessOne boards, over a serial line."""
