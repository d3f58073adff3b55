"""LiveChess 2 as a source: boards that only it can reach, over its WebSocket's JSON frames."""
