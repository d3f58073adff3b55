"""Textos de la sección 6 del catálogo: capturas."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "capture-ok": (
        "{move} {played}",
        "La captura se hizo; cualquier orden de levantar es correcto (4.7.1).",
    ),
    "capture-wrong-piece-off": (
        "{move} {Side} retiraron la pieza equivocada ({squares}) y pulsaron{verdict}",
        (
            "Con {attempt} salió también, o en su lugar, la pieza de {squares}. Jugada ilegal "
            "o desplazamiento: el árbitro mira. Si se tocó primero y es capturable rige 4.3.3. "
            "{block}"
        ),
    ),
    "capture-own-piece": (
        "{move} {Side} capturaron una pieza propia en {squares} y pulsaron{verdict}",
        "Allí estaba {piece}, de su mismo color (3.1). {block}",
    ),
    "capture-not-removed": (
        "{move} La pieza capturada con {attempt} reaparece en {squares}",
        "Los sensores muestran una pieza por casilla. Puede estar al borde o apretada: mire.",
    ),
    "capture-removed-not-moved": (
        "{move} {Side} retiraron la pieza de {squares}, no movieron y pulsaron{verdict}",
        "No hubo jugada (7.5.3). {block}",
    ),
    "ep-ok": (
        "{move} {played} al paso",
        "La captura al paso se hizo al retirar el peón (3.7.3.1).",
    ),
    "ep-pawn-not-removed": (
        "{move} {Side} capturaron al paso, dejaron el peón en {square} y pulsaron{verdict}",
        "El árbitro decide: captura sin terminar o jugada ilegal. {block}",
    ),
    "ep-too-late": (
        "{move} {Side} capturaron al paso demasiado tarde en {square}{verdict}",
        (
            "[El doble paso fue en la jugada {double_step}; ]al paso solo cabe en la inmediata "
            "(3.7.3.2). {block}"
        ),
    ),
    "ep-never-double": (
        "{move} {Side} capturaron al paso en {square} un peón que no dio doble paso{verdict}",
        "{Reason}. {block}",
    ),
    "king-captured": (
        "{move} {Side} capturaron el rey en {squares} y pulsaron{verdict}",
        (
            "Ilegal y sancionable (1.4.1); capturar el rey no es forma de reclamar. Hay que "
            "examinar también la jugada anterior del adversario. {block}"
        ),
    ),
}
