"""Palabras con las que se escriben los hechos."""

from __future__ import annotations

WORDS = {
    "white": "las blancas",
    "black": "las negras",
    "a player": "un jugador",
    "the opponent": "el adversario",
    "nothing": "nada",
    "any legal move": "cualquier jugada legal",
    "yes": "sí",
    "no": "no",
    "the piece cannot move so": "la pieza no se mueve así",
    "the path is blocked": "el camino está bloqueado",
    "an own piece stands there": "hay una pieza propia en esa casilla",
    "the king is left in check": "el rey queda en jaque",
    "the king moves into check": "el rey se pone en jaque",
    "the piece is pinned": "la pieza está clavada",
    "the right to castle is lost": "se ha perdido el derecho a enrocar",
    "the king is in check": "el rey está en jaque",
    "the king passes an attacked square": "el rey pasa por una casilla atacada",
    "a piece stands between king and rook": "hay una pieza entre el rey y la torre",
    "en passant is possible on the next move only": (
        "la captura al paso solo vale en la jugada siguiente"
    ),
    "the pawn did not make a double step": "el peón no avanzó dos casillas",
    "the pawn on its last rank is not exchanged": "el peón en la última fila no se ha cambiado",
    "a pawn cannot become that": "un peón no puede convertirse en eso",
    "the other side has the move": "el turno es del otro bando",
    "a king cannot be captured": "un rey no se captura",
    "no move was made": "no se hizo ninguna jugada",
    "more than one move's squares changed": "cambiaron casillas de más de una jugada",
    "the river square carries no plank": "la casilla del río no tiene tabla",
    "an open river square lies in the way": "hay una casilla del río sin tabla en el camino",
    "a king never stands on the river": "un rey nunca se sitúa en el río",
    "a pawn never captures here": "aquí un peón no captura",
    "a pawn must be transformed now": "hay que transformar un peón ahora",
}
