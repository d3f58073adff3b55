"""Pushes the games to a broadcast at Lichess: `push` decides, `http` sends."""
