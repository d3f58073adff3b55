"""Textos de la sección 5 del catálogo: promoción."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "promo-ok": (
        "{move} {played}",
        "La promoción se hizo con la nueva pieza colocada y el peón fuera (4.7.3).",
    ),
    "promo-pawn-left": (
        "{move} {Side} dejaron el peón en {square} y pulsaron{verdict}",
        "No se cambió el peón de {square}. {block}",
    ),
    "promo-nothing-placed": (
        "{move} {Side} pulsaron sin pieza en {square}{verdict}",
        ("El peón está fuera y no había pieza en {square} al pulsar: ya no pueden elegir. {block}"),
    ),
    "promo-choice-changed": (
        "{move} {Side} cambiaron {first} por {second} en {square}",
        (
            "{First} había tocado {square} durante {dwell_ms}: la elección es definitiva "
            "(4.4.4): {obligation}. Sostener una pieza sobre la casilla no es tocarla."
        ),
    ),
    "promo-wrong-colour": (
        "{move} {Side} pusieron una pieza del otro color en {square} y pulsaron{verdict}",
        (
            "En {square} hay {piece:a} del otro color. Usted restablece o pone una dama como "
            "en 7.5.2. {block}"
        ),
    ),
    "promo-king-or-pawn": (
        "{move} {Side} pusieron {piece:a} en {square} y pulsaron{verdict}",
        (
            "Un peón no puede ser rey ni seguir siendo peón. Usted restablece o pone una dama "
            "como en 7.5.2. {block}"
        ),
    ),
    "promo-inverted-rook": (
        "{move} {Side} movieron la torre coronada de {square} como dama ({attempt}){verdict}",
        (
            "Una torre invertida es una torre, se diga lo que se diga. Mire si está invertida. "
            "{block}"
        ),
    ),
    "promo-pause-for-piece": (
        "Reloj detenido con un peón a punto de coronar: {side}",
        (
            "Es motivo válido (6.11.2): traiga la pieza. La elección sigue abierta; la pieza "
            "pedida no obliga."
        ),
    ),
    "promo-two-hands": (
        "{move} Promoción de {side}, quizá con las dos manos",
        "Peón y pieza cambiaron dentro de una misma lectura. Es solo una sospecha (7.5.4).",
    ),
    "promo-early": (
        "{move} {Side} cambiaron el peón en {square} antes de la última fila{verdict}",
        "En {square} hay {piece:a} donde estaba el peón. {block}",
    ),
    "promo-pawn-seen-late": (
        "Peón en la última fila ({square}) y se ha seguido jugando{verdict}",
        "{ruled} {block}",
    ),
}
