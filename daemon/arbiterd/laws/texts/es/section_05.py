"""Textos de la sección 5 del catálogo: promoción."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "promo-ok": (
        "{move} {played} promoción",
        "Realizada con la nueva pieza colocada y el peón fuera (4.7.3).",
    ),
    "promo-pawn-left": (
        "{move} {side}: dejó el peón en {square} y pulsó{verdict}",
        "No se cambió el peón de {square}. {block}",
    ),
    "promo-nothing-placed": (
        "{move} {side}: pulsó sin pieza en {square}{verdict}",
        "El peón está fuera y no había pieza en {square} al pulsar: ya no puede elegir. {block}",
    ),
    "promo-choice-changed": (
        "{move} {side}: cambió {first} por {second} en {square}",
        (
            "{first} había tocado {square} durante {dwell_ms}: la elección es definitiva "
            "(4.4.4): {obligation}. Sostener una pieza sobre la casilla no es tocarla."
        ),
    ),
    "promo-wrong-colour": (
        "{move} {side}: puso una pieza del otro color en {square} y pulsó{verdict}",
        (
            "En {square} hay {piece} del otro color. El árbitro restablece o pone una dama como en "
            "7.5.2. {block}"
        ),
    ),
    "promo-king-or-pawn": (
        "{move} {side}: puso {piece} en {square} y pulsó{verdict}",
        (
            "Un peón no puede ser rey ni seguir siendo peón. El árbitro restablece o pone una dama "
            "como en 7.5.2. {block}"
        ),
    ),
    "promo-inverted-rook": (
        "{move} {side}: movió la torre coronada {square} como dama ({attempt}){verdict}",
        (
            "Una torre invertida es una torre, se diga lo que se diga. Mire si está invertida. "
            "{block}"
        ),
    ),
    "promo-pause-for-piece": (
        "{side}: paró con un peón a punto de coronar",
        (
            "Es motivo válido (6.11.2): traiga la pieza. La elección sigue abierta; la "
            "pieza pedida no obliga."
        ),
    ),
    "promo-two-hands": (
        "{move} {side}: coronó, quizá con las dos manos",
        "Peón y pieza cambiaron dentro de una misma lectura. Es solo una sospecha (7.5.4).",
    ),
    "promo-early": (
        "{move} {side}: cambió el peón en {square} antes de la última fila{verdict}",
        "En {square} hay {piece} donde estaba el peón. {block}",
    ),
    "promo-pawn-seen-late": (
        "Peón en la última fila ({square}) y se ha seguido jugando{verdict}",
        "{ruled} {block} {outcome}",
    ),
}
