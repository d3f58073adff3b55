"""Textos de la sección 6 del catálogo: capturas."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "capture-ok": (
        "{move} {played} captura realizada",
        "Cualquier orden de levantar es correcto (4.7.1).",
    ),
    "capture-wrong-piece-off": (
        "{move} {side}: retiró la pieza equivocada ({squares}) y pulsó{verdict}",
        (
            "Con {attempt} salió también, o en su lugar, la pieza de {squares}. Jugada ilegal o "
            "desplazamiento: el árbitro mira. Si se tocó primero y es capturable rige 4.3.3. "
            "{block}"
        ),
    ),
    "capture-own-piece": (
        "{move} {side}: capturó una pieza propia en {squares} y pulsó{verdict}",
        "Allí había {piece} propia (3.1). {block}",
    ),
    "capture-not-removed": (
        "{move} La pieza capturada con {attempt} reaparece en {squares}",
        "Los sensores muestran una pieza por casilla. Puede estar al borde o apretada: mire.",
    ),
    "capture-removed-not-moved": (
        "{move} {side}: retiró {squares}, no movió y pulsó{verdict}",
        "No hubo jugada (7.5.3). {block}",
    ),
    "ep-ok": (
        "{move} {played} al paso",
        "Realizada al retirar el peón (3.7.3.1).",
    ),
    "ep-pawn-not-removed": (
        "{move} {side}: capturó al paso, dejó el peón en {square} y pulsó{verdict}",
        "El árbitro decide: captura sin terminar o jugada ilegal. {block}",
    ),
    "ep-too-late": (
        "{move} {side}: capturó {square} al paso demasiado tarde{verdict}",
        (
            "El doble paso fue en la jugada {double_step}; al paso solo cabe en la inmediata "
            "(3.7.3.2). {block}"
        ),
    ),
    "ep-never-double": (
        "{move} {side}: capturó al paso {square}, que no dio doble paso{verdict}",
        "{reason}. {block}",
    ),
    "king-captured": (
        "{move} {side}: capturó el rey en {squares} y pulsó{verdict}",
        (
            "Ilegal y sancionable (1.4.1); capturar el rey no es forma de reclamar. Hay que "
            "examinar también la jugada anterior del adversario. {block}"
        ),
    ),
}
